#include "shapes.h"

/* Births are computed in batches that fit the first-level cache, one property after another. */
#define BATCH 256

/* A batch of births: origin, direction, and the factors inherited from the parent. */
typedef struct emission {
  uint32_t birth[BATCH];                 /* hash of the birth's number */
  float x[BATCH], y[BATCH], z[BATCH];    /* position at birth */
  /* Direction: (headX, headY) is a unit vector in the plane, then the cosine and sine of the latitude. */
  float headX[BATCH], headY[BATCH], cosLatitude[BATCH], sinLatitude[BATCH];
  float scale[BATCH], red[BATCH], green[BATCH], blue[BATCH], alpha[BATCH]; /* factors inherited from the parent */
} emission;

/* The random values of a batch, as arrays, before they are copied into the particles. */
typedef struct samples {
  float life[BATCH], spin[BATCH], scale[BATCH], red[BATCH], green[BATCH], blue[BATCH], alpha[BATCH];
} samples;

VG_INLINE void hash_births(uint32_t *birth, const vg_random *random, uint32_t number, size_t count) {
  for (size_t i = 0; i < count; i++) birth[i] = hashed(random->birth + number + (uint32_t)i);
}

VG_INLINE void sample_life(float *restrict life, float *restrict end, const float *restrict remaining,
                           const uint32_t *birth, size_t count, const vg_birth *b) {
  for (size_t i = 0; i < count; i++) {
    float lifetime = max_of(b->life.mean + b->life.range * uniform11(birth[i], b->random.word[VG_RANDOM_LIFE]), 0);
    life[i] = lifetime;
    end[i] = b->now + (lifetime - remaining[i] * b->seconds);
  }
}

VG_INLINE void sample(float *out, const uint32_t *birth, size_t count, vg_spread spread, uint32_t word) {
  if (spread.range == 0) {
    for (size_t i = 0; i < count; i++) out[i] = spread.mean;
  } else {
    for (size_t i = 0; i < count; i++) out[i] = spread.mean + spread.range * uniform11(birth[i], word);
  }
}

/* Clamps a value to 0…high and, with `inherits`, multiplies it by the inherited factor. Subtracts what the pool's value
   had grown by at birth: adding the pool's growth later gives the value at any time. */
VG_INLINE void store_relative_to_pool(float *restrict out, const float *restrict remaining,
                                      const float *restrict inherited, size_t count, float high, vg_drift drift,
                                      float seconds, const int inherits) {
  for (size_t i = 0; i < count; i++) {
    float value = clamp(out[i], 0, high);
    if (inherits) value *= inherited[i];
    out[i] = value - (drift.sum - drift.speed * (remaining[i] * seconds));
  }
}

/* Turns each direction by longitude, latitude and the random angles. Leaves a unit vector in (headX, headY,
   sinLatitude). `solid`: the angles lie in a cone, uniform by solid angle; else in the plane, uniform by angle. */
VG_INLINE void aim(emission *o, size_t count, const vg_birth *b, const int solid) {
  for (size_t i = 0; i < count; i++) {
    uint32_t birth = o->birth[i];
    float turn = b->longitude;
    if (!solid) turn = wrap_turn(turn + b->fan * uniform11(birth, b->random.word[VG_RANDOM_ANGLE]));
    float c = cosine(turn), s = sine(turn);
    float x = o->headX[i] * c - o->headY[i] * s, y = o->headX[i] * s + o->headY[i] * c;
    float cos_latitude = o->cosLatitude[i] * b->cosLatitude - o->sinLatitude[i] * b->sinLatitude;
    float sin_latitude = o->sinLatitude[i] * b->cosLatitude + o->cosLatitude[i] * b->sinLatitude;
    if (solid) {
      /* Uniform by solid angle in a cone about the axis: the cosine to the axis and the angle around it are uniform. */
      float one_minus_cos = b->cap * uniform01(birth, b->random.word[VG_RANDOM_TILT]);
      float cos_tilt = 1 - one_minus_cos, sin_tilt = __builtin_sqrtf(one_minus_cos * (2 - one_minus_cos));
      float azimuth = 0.5f * uniform11(birth, b->random.word[VG_RANDOM_ANGLE]);
      float side = sin_tilt * cosine(azimuth), up = sin_tilt * sine(azimuth);
      float in_plane = cos_latitude * cos_tilt - sin_latitude * up;
      o->headX[i] = x * in_plane - y * side;
      o->headY[i] = y * in_plane + x * side;
      o->sinLatitude[i] = sin_latitude * cos_tilt + cos_latitude * up;
    } else {
      o->headX[i] = x * cos_latitude;
      o->headY[i] = y * cos_latitude;
      o->sinLatitude[i] = sin_latitude;
    }
  }
}

/* Writes the position and velocity of each particle at the frame's end, from those at birth, for constant
   acceleration. */
VG_INLINE void write_motion(const vg_particles *all, size_t first, size_t count, const vg_birth *b, const emission *o) {
  float *restrict x = column(all, VG_X) + first, *restrict y = column(all, VG_Y) + first;
  float *restrict z = column(all, VG_Z) + first, *restrict vx = column(all, VG_VX) + first;
  float *restrict vy = column(all, VG_VY) + first, *restrict vz = column(all, VG_VZ) + first;
  const float *restrict remaining = column(all, VG_LEFT) + first;
  const float hx = 0.5f * b->ax, hy = 0.5f * b->ay, hz = 0.5f * b->az;
  for (size_t i = 0; i < count; i++) {
    float speed = b->velocity.mean;
    speed += b->velocity.range * uniform11(o->birth[i], b->random.word[VG_RANDOM_VELOCITY]);
    float t = remaining[i] * b->seconds;
    float sx = speed * o->headX[i], sy = speed * o->headY[i], sz = speed * o->sinLatitude[i];
    x[i] = o->x[i] + t * (sx + hx * t);
    y[i] = o->y[i] + t * (sy + hy * t);
    z[i] = o->z[i] + t * (sz + hz * t);
    vx[i] = sx + b->ax * t;
    vy[i] = sy + b->ay * t;
    vz[i] = sz + b->az * t;
  }
}

/* Writes a batch of `count` particles into the rows from `first` on. */
VG_INLINE void emit(const vg_particles *all, size_t first, size_t count, uint32_t order, const vg_birth *b, emission *o,
                    const int inherits) {
  const float *remaining = column(all, VG_LEFT) + first;
  const uint32_t *word = b->random.word;
  samples d;
  sample_life(d.life, column(all, VG_END) + first, remaining, o->birth, count, b);
  /* Constant arguments: each loop is compiled without a branch on them. */
  if (b->solid) aim(o, count, b, 1);
  else aim(o, count, b, 0);
  write_motion(all, first, count, b, o);
  sample(d.spin, o->birth, count, b->spin, word[VG_RANDOM_SPIN]);
  sample(d.scale, o->birth, count, b->scale, word[VG_RANDOM_SCALE]);
  sample(d.red, o->birth, count, b->red, word[VG_RANDOM_RED]);
  sample(d.green, o->birth, count, b->green, word[VG_RANDOM_GREEN]);
  sample(d.blue, o->birth, count, b->blue, word[VG_RANDOM_BLUE]);
  sample(d.alpha, o->birth, count, b->alpha, word[VG_RANDOM_ALPHA]);
  store_relative_to_pool(d.scale, remaining, o->scale, count, 1e9f, b->scaleDrift, b->seconds, inherits);
  store_relative_to_pool(d.red, remaining, o->red, count, 1, b->redDrift, b->seconds, inherits);
  store_relative_to_pool(d.green, remaining, o->green, count, 1, b->greenDrift, b->seconds, inherits);
  store_relative_to_pool(d.blue, remaining, o->blue, count, 1, b->blueDrift, b->seconds, inherits);
  store_relative_to_pool(d.alpha, remaining, o->alpha, count, 1, b->alphaDrift, b->seconds, inherits);
  vg_attributes *attributes = all->attributes + first;
  for (size_t i = 0; i < count; i++) {
    attributes[i] = (vg_attributes){d.life[i], d.spin[i], d.scale[i], d.red[i], d.green[i], d.blue[i], d.alpha[i],
                             order + (uint32_t)i};
  }
}

/* Upper limit of column VG_LEFT. Below 1, so that a particle that lives exactly one frame is visible in the frame of its
   birth. */
#define MAX_REMAINING (1 - 0x1p-20f)

VG_KERNEL void vg_emit(const vg_particles *all, size_t first, size_t count, uint64_t total, uint32_t number,
                       uint32_t order, const vg_birth *b, const vg_shape *s) {
  emission o;
  for (size_t done = 0; done < count; done += BATCH) {
    size_t length = count - done < BATCH ? count - done : BATCH;
    float *remaining = column(all, VG_LEFT) + first + done;
    double last = s->owed + (double)(total - 1 - done);
    for (size_t i = 0; i < length; i++) /* SIMD lanes convert an int32_t */
      remaining[i] = clamp((float)((last - (double)(int32_t)i) * s->apart + s->after), 0, MAX_REMAINING);
    hash_births(o.birth, &b->random, number + (uint32_t)done, length);
    place(o.x, o.y, o.z, o.birth, length, &b->random, s);
    for (size_t i = 0; i < length; i++) {
      o.x[i] += s->x + s->fromX * remaining[i];
      o.y[i] += s->y + s->fromY * remaining[i];
      o.z[i] += s->z + s->fromZ * remaining[i];
      o.headX[i] = b->naturalX;
      o.headY[i] = b->naturalY;
      o.cosLatitude[i] = 1;
      o.sinLatitude[i] = 0;
    }
    emit(all, first + done, length, order + (uint32_t)done, b, &o, 0);
  }
}

/* Sets position, direction and factors of each birth from its parent: position and direction at the moment of birth,
   scale and color at the frame's end. */
VG_INLINE void inherit(emission *o, size_t count, const float *remaining, const vg_birth *b, const vg_parents *p,
                       const uint32_t *parent_rows) {
  const float *x = column(&p->all, VG_X), *y = column(&p->all, VG_Y), *z = column(&p->all, VG_Z);
  const float *vx = column(&p->all, VG_VX), *vy = column(&p->all, VG_VY), *vz = column(&p->all, VG_VZ);
  const float *end = column(&p->all, VG_END);
  const vg_life_growth *g = &p->life;
  const float hx = 0.5f * p->ax, hy = 0.5f * p->ay, hz = 0.5f * p->az;
  for (size_t i = 0; i < count; i++) {
    uint32_t k = parent_rows[i];
    float t = remaining[i] * p->seconds;
    o->x[i] = x[k] - t * (vx[k] - hx * t);
    o->y[i] = y[k] - t * (vy[k] - hy * t);
    o->z[i] = z[k] - t * (vz[k] - hz * t);
    float ux = vx[k] - p->ax * t, uy = vy[k] - p->ay * t, uz = vz[k] - p->az * t;
    float flat = __builtin_sqrtf(ux * ux + uy * uy), speed = __builtin_sqrtf(ux * ux + uy * uy + uz * uz);
    int has_heading = flat > 0, is_moving = speed > 0; /* otherwise the natural direction */
    float inverse_flat = 1 / (has_heading ? flat : 1), inverse_speed = 1 / (is_moving ? speed : 1);
    o->headX[i] = has_heading ? ux * inverse_flat : b->naturalX;
    o->headY[i] = has_heading ? uy * inverse_flat : b->naturalY;
    o->cosLatitude[i] = is_moving ? flat * inverse_speed : 1;
    o->sinLatitude[i] = is_moving ? uz * inverse_speed : 0;
    const vg_attributes *parent = p->all.attributes + k;
    float fraction = g->perLifetime ? life_fraction(parent->life - (end[k] - p->now), parent->life) : 0;
    o->scale[i] = max_of(parent->scale + p->scale + g->scale * fraction, 0);
    o->red[i] = clamp(parent->red + p->red + g->red * fraction, 0, 1);
    o->green[i] = clamp(parent->green + p->green + g->green * fraction, 0, 1);
    o->blue[i] = clamp(parent->blue + p->blue + g->blue * fraction, 0, 1);
    o->alpha[i] = clamp(parent->alpha + p->alpha + g->alpha * fraction, 0, 1);
  }
}

VG_KERNEL void vg_emit_from(const vg_particles *all, size_t first, size_t count, uint32_t number, uint32_t order,
                            const vg_birth *b, const vg_parents *p, const uint32_t *parent_rows) {
  emission o;
  for (size_t done = 0; done < count; done += BATCH) {
    size_t length = count - done < BATCH ? count - done : BATCH;
    hash_births(o.birth, &b->random, number + (uint32_t)done, length);
    inherit(&o, length, column(all, VG_LEFT) + first + done, b, p, parent_rows + done);
    emit(all, first + done, length, order + (uint32_t)done, b, &o, 1);
  }
}

/* A birth that is due within 1e-4 of a birth interval is made now, so that a rounding error does not delay it by a frame.
   The carried fraction is then negative, so no birth is added. */
#define BIRTH_TOLERANCE 1e-4f
/* Upper limit of the births of a parent in one frame: 2^24, up to which a float is exact. */
#define MAX_BIRTHS 16777216.0f

VG_KERNEL uint64_t vg_due_births(const vg_particles *parents, uint32_t carry, size_t first_young, float perFrame,
                                 float begin, float end, uint32_t *births_of) {
  float *restrict owed = column(parents, carry);
  const float *restrict remaining = column(parents, VG_LEFT);
  const float whole = perFrame * (end - begin);
  uint64_t sum = 0;
  for (size_t i = 0; i < first_young; i++) {
    float due = clamp(owed[i] + whole, -1, MAX_BIRTHS);
    int32_t births = (int32_t)max_of(due + BIRTH_TOLERANCE, 0);
    owed[i] = due - (float)births;
    births_of[i] = (uint32_t)births;
    sum += (uint32_t)births;
  }
  for (size_t i = first_young; i < parents->count; i++) {
    /* The share of the frame in which the parent lives. */
    float alive = max_of(end - max_of(1 - remaining[i], begin), 0);
    float due = clamp(perFrame * alive, 0, MAX_BIRTHS);
    int32_t births = (int32_t)(due + BIRTH_TOLERANCE);
    owed[i] = due - (float)births;
    births_of[i] = (uint32_t)births;
    sum += (uint32_t)births;
  }
  return sum;
}

VG_REALTIME void vg_assign_parents(const vg_particles *parents, uint32_t carry, float perFrame, float end,
                                   const uint32_t *births_of, size_t count, uint32_t *parent_rows,
                                   float *remaining) {
  const float *owed = column(parents, carry);
  const float apart = 1 / perFrame;
  size_t assigned = 0;
  for (size_t i = 0; assigned < count; i++) {
    for (uint32_t k = births_of[i]; k > 0 && assigned < count; k--) {
      parent_rows[assigned] = (uint32_t)i;
      remaining[assigned++] = clamp((owed[i] + (float)(k - 1)) * apart + (1 - end), 0, MAX_REMAINING);
    }
  }
}

VG_KERNEL void vg_sincos(float turns, float *c, float *s) {
  float t = wrap_turn(turns);
  *c = cosine(t);
  *s = sine(t);
}
