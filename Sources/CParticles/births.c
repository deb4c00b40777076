#include "shapes.h"

/* Births are computed in batches that fit the first-level cache, one property after another. */
#define BATCH 256

/* A batch of births: what each takes from its place or its parent. */
typedef struct emission {
  uint32_t birth[BATCH];                 /* hash of the birth's number */
  float x[BATCH], y[BATCH], z[BATCH];    /* position at birth */
  /* Direction: (headX, headY) is a unit vector in the plane, `level` and `rise` are the cosine and sine of the
     latitude. */
  float headX[BATCH], headY[BATCH], level[BATCH], rise[BATCH];
  float scale[BATCH], red[BATCH], green[BATCH], blue[BATCH], alpha[BATCH]; /* factors inherited from the parent */
} emission;

/* The random values of a batch, as arrays, before they are copied into the particles. */
typedef struct drawn {
  float life[BATCH], spin[BATCH], scale[BATCH], red[BATCH], green[BATCH], blue[BATCH], alpha[BATCH];
} drawn;

VG_INLINE void draw_births(uint32_t *birth, const vg_random *random, uint32_t number, size_t count) {
  for (size_t i = 0; i < count; i++) birth[i] = hashed(random->birth + number + (uint32_t)i);
}

VG_INLINE void draw_life(float *restrict life, float *restrict end, const float *restrict left, const uint32_t *birth,
                         size_t count, const vg_birth *b) {
  for (size_t i = 0; i < count; i++) {
    float drawn = max_of(b->life.mean + b->life.range * uniform11(birth[i], b->random.word[VG_RANDOM_LIFE]), 0);
    life[i] = drawn;
    end[i] = b->now + (drawn - left[i] * b->seconds);
  }
}

VG_INLINE void draw(float *out, const uint32_t *birth, size_t count, vg_spread spread, uint32_t word) {
  if (spread.range == 0) {
    for (size_t i = 0; i < count; i++) out[i] = spread.mean;
  } else {
    for (size_t i = 0; i < count; i++) out[i] = spread.mean + spread.range * uniform11(birth[i], word);
  }
}

/* Clamps a value that grows with its pool and multiplies it by the inherited factor. Stores it minus the growth of the
   pool at the moment of birth, so that adding the pool's growth gives the value at any time. */
VG_INLINE void subtract_drift(float *restrict out, const float *restrict left, const float *restrict inherited, size_t count,
                              float high, vg_drift drift, float seconds, const int inner) {
  for (size_t i = 0; i < count; i++) {
    float value = clamp(out[i], 0, high);
    if (inner) value *= inherited[i];
    out[i] = value - (drift.sum - drift.speed * (left[i] * seconds));
  }
}

/* Turns each direction by longitude, latitude and the random angles. Leaves a unit vector in (headX, headY, rise). */
VG_INLINE void aim(emission *o, size_t count, const vg_birth *b, const int solid) {
  for (size_t i = 0; i < count; i++) {
    uint32_t birth = o->birth[i];
    float turn = b->longitude;
    if (!solid) turn = wrap_turn(turn + b->fan * uniform11(birth, b->random.word[VG_RANDOM_ANGLE]));
    float c = cosine(turn), s = sine(turn);
    float x = o->headX[i] * c - o->headY[i] * s, y = o->headX[i] * s + o->headY[i] * c;
    float level = o->level[i] * b->cosLatitude - o->rise[i] * b->sinLatitude;
    float rise = o->rise[i] * b->cosLatitude + o->level[i] * b->sinLatitude;
    if (solid) {
      /* Uniform by solid angle in a cone about the axis: the cosine to the axis and the angle around it are uniform. */
      float short_of = b->cap * uniform01(birth, b->random.word[VG_RANDOM_TILT]); /* 1 − cosine */
      float along = 1 - short_of, away = __builtin_sqrtf(short_of * (2 - short_of)); /* cosine and sine */
      float round = 0.5f * uniform11(birth, b->random.word[VG_RANDOM_ANGLE]);
      float side = away * cosine(round), up = away * sine(round);
      float flat = level * along - rise * up;
      o->headX[i] = x * flat - y * side;
      o->headY[i] = y * flat + x * side;
      o->rise[i] = rise * along + level * up;
    } else {
      o->headX[i] = x * level;
      o->headY[i] = y * level;
      o->rise[i] = rise;
    }
  }
}

/* Writes the position and velocity of each particle at the frame's end, from those at birth, for constant
   acceleration. */
VG_INLINE void write_motion(const vg_particles *all, size_t first, size_t count, const vg_birth *b, const emission *o) {
  float *restrict x = column(all, VG_X) + first, *restrict y = column(all, VG_Y) + first;
  float *restrict z = column(all, VG_Z) + first, *restrict vx = column(all, VG_VX) + first;
  float *restrict vy = column(all, VG_VY) + first, *restrict vz = column(all, VG_VZ) + first;
  const float *restrict left = column(all, VG_LEFT) + first;
  const float hx = 0.5f * b->ax, hy = 0.5f * b->ay, hz = 0.5f * b->az;
  for (size_t i = 0; i < count; i++) {
    float speed = b->velocity.mean;
    speed += b->velocity.range * uniform11(o->birth[i], b->random.word[VG_RANDOM_VELOCITY]);
    float t = left[i] * b->seconds;
    float sx = speed * o->headX[i], sy = speed * o->headY[i], sz = speed * o->rise[i];
    x[i] = o->x[i] + t * (sx + hx * t);
    y[i] = o->y[i] + t * (sy + hy * t);
    z[i] = o->z[i] + t * (sz + hz * t);
    vx[i] = sx + b->ax * t;
    vy[i] = sy + b->ay * t;
    vz[i] = sz + b->az * t;
  }
}

/* Writes a batch of `count` particles into the rows from `first` on. `inner`: values are multiplied by the parent's. */
VG_INLINE void emit(const vg_particles *all, size_t first, size_t count, uint32_t order, const vg_birth *b, emission *o,
                    const int inner) {
  const float *left = column(all, VG_LEFT) + first;
  const uint32_t *word = b->random.word;
  drawn d;
  draw_life(d.life, column(all, VG_END) + first, left, o->birth, count, b);
  if (b->solid) aim(o, count, b, 1);
  else aim(o, count, b, 0);
  write_motion(all, first, count, b, o);
  draw(d.spin, o->birth, count, b->spin, word[VG_RANDOM_SPIN]);
  draw(d.scale, o->birth, count, b->scale, word[VG_RANDOM_SCALE]);
  draw(d.red, o->birth, count, b->red, word[VG_RANDOM_RED]);
  draw(d.green, o->birth, count, b->green, word[VG_RANDOM_GREEN]);
  draw(d.blue, o->birth, count, b->blue, word[VG_RANDOM_BLUE]);
  draw(d.alpha, o->birth, count, b->alpha, word[VG_RANDOM_ALPHA]);
  subtract_drift(d.scale, left, o->scale, count, 1e9f, b->scaleDrift, b->seconds, inner);
  subtract_drift(d.red, left, o->red, count, 1, b->redDrift, b->seconds, inner);
  subtract_drift(d.green, left, o->green, count, 1, b->greenDrift, b->seconds, inner);
  subtract_drift(d.blue, left, o->blue, count, 1, b->blueDrift, b->seconds, inner);
  subtract_drift(d.alpha, left, o->alpha, count, 1, b->alphaDrift, b->seconds, inner);
  vg_attributes *attributes = all->attributes + first;
  for (size_t i = 0; i < count; i++) {
    attributes[i] = (vg_attributes){d.life[i], d.spin[i], d.scale[i], d.red[i], d.green[i], d.blue[i], d.alpha[i],
                             order + (uint32_t)i};
  }
}

/* Upper limit of column VG_LEFT, below 1: so a particle that lives exactly one frame is seen in the frame of its
   birth. */
#define MOST_LEFT (1 - 0x1p-20f)

VG_KERNEL void vg_emit(const vg_particles *all, size_t first, size_t count, uint64_t total, uint32_t number,
                       uint32_t order, const vg_birth *b, const vg_shape *s) {
  emission o;
  for (size_t done = 0; done < count; done += BATCH) {
    size_t some = count - done < BATCH ? count - done : BATCH;
    float *left = column(all, VG_LEFT) + first + done;
    double last = s->owed + (double)(total - 1 - done);
    for (size_t i = 0; i < some; i++)
      left[i] = clamp((float)((last - (double)(int32_t)i) * s->apart + s->after), 0, MOST_LEFT);
    draw_births(o.birth, &b->random, number + (uint32_t)done, some);
    place(o.x, o.y, o.z, o.birth, some, &b->random, s);
    for (size_t i = 0; i < some; i++) {
      o.x[i] += s->x + s->fromX * left[i];
      o.y[i] += s->y + s->fromY * left[i];
      o.z[i] += s->z + s->fromZ * left[i];
      o.headX[i] = b->naturalX;
      o.headY[i] = b->naturalY;
      o.level[i] = 1;
      o.rise[i] = 0;
    }
    emit(all, first + done, some, order + (uint32_t)done, b, &o, 0);
  }
}

/* Sets position, direction and factors of each birth from its parent: the position and direction as they were at the
   moment of birth, within the frame; scale and color as they are at the frame's end. */
VG_INLINE void inherit(emission *o, size_t count, const float *left, const vg_birth *b, const vg_parents *p,
                       const uint32_t *from) {
  const float *x = column(&p->all, VG_X), *y = column(&p->all, VG_Y), *z = column(&p->all, VG_Z);
  const float *vx = column(&p->all, VG_VX), *vy = column(&p->all, VG_VY), *vz = column(&p->all, VG_VZ);
  const float *end = column(&p->all, VG_END);
  const vg_life_growth *g = &p->life;
  const float hx = 0.5f * p->ax, hy = 0.5f * p->ay, hz = 0.5f * p->az;
  for (size_t i = 0; i < count; i++) {
    uint32_t k = from[i];
    float t = left[i] * p->seconds;
    o->x[i] = x[k] - t * (vx[k] - hx * t);
    o->y[i] = y[k] - t * (vy[k] - hy * t);
    o->z[i] = z[k] - t * (vz[k] - hz * t);
    float ux = vx[k] - p->ax * t, uy = vy[k] - p->ay * t, uz = vz[k] - p->az * t;
    float flat = __builtin_sqrtf(ux * ux + uy * uy), speed = __builtin_sqrtf(ux * ux + uy * uy + uz * uz);
    int turns = flat > 0, goes = speed > 0; /* without a heading, or at rest, it has the natural direction */
    float inFlat = 1 / (turns ? flat : 1), inSpeed = 1 / (goes ? speed : 1);
    o->headX[i] = turns ? ux * inFlat : b->naturalX;
    o->headY[i] = turns ? uy * inFlat : b->naturalY;
    o->level[i] = goes ? flat * inSpeed : 1;
    o->rise[i] = goes ? uz * inSpeed : 0;
    const vg_attributes *parent = p->all.attributes + k;
    float fraction = g->counts ? life_fraction(parent->life - (end[k] - p->now), parent->life) : 0;
    o->scale[i] = max_of(parent->scale + p->scale + g->scale * fraction, 0);
    o->red[i] = clamp(parent->red + p->red + g->red * fraction, 0, 1);
    o->green[i] = clamp(parent->green + p->green + g->green * fraction, 0, 1);
    o->blue[i] = clamp(parent->blue + p->blue + g->blue * fraction, 0, 1);
    o->alpha[i] = clamp(parent->alpha + p->alpha + g->alpha * fraction, 0, 1);
  }
}

VG_KERNEL void vg_emit_from(const vg_particles *all, size_t first, size_t count, uint32_t number, uint32_t order,
                            const vg_birth *b, const vg_parents *p, const uint32_t *from) {
  emission o;
  for (size_t done = 0; done < count; done += BATCH) {
    size_t some = count - done < BATCH ? count - done : BATCH;
    draw_births(o.birth, &b->random, number + (uint32_t)done, some);
    inherit(&o, some, column(all, VG_LEFT) + first + done, b, p, from + done);
    emit(all, first + done, some, order + (uint32_t)done, b, &o, 1);
  }
}

/* A birth of which at most 1e-4 is missing happens now, so that a rounding error does not delay it by a frame. The
   fraction that is carried over is then as much below 0, so no birth is gained. */
#define NEARLY 1e-4f
/* Upper limit of the births of a parent in one frame: 2^24, up to which a float is exact. */
#define MOST 16777216.0f

VG_KERNEL uint64_t vg_due_births(const vg_particles *parents, uint32_t carry, size_t young, float perFrame, float begin,
                                 float end, uint32_t *times) {
  float *restrict owed = column(parents, carry);
  const float *restrict left = column(parents, VG_LEFT);
  const float whole = perFrame * (end - begin);
  uint64_t sum = 0;
  for (size_t i = 0; i < young; i++) {
    float due = clamp(owed[i] + whole, -1, MOST);
    int32_t now = (int32_t)max_of(due + NEARLY, 0);
    owed[i] = due - (float)now;
    times[i] = (uint32_t)now;
    sum += (uint32_t)now;
  }
  for (size_t i = young; i < parents->count; i++) {
    float alive = max_of(end - max_of(1 - left[i], begin), 0); /* the share of the frame in which the parent lives */
    float due = clamp(perFrame * alive, 0, MOST);
    int32_t now = (int32_t)(due + NEARLY);
    owed[i] = due - (float)now;
    times[i] = (uint32_t)now;
    sum += (uint32_t)now;
  }
  return sum;
}

VG_REALTIME void vg_assign_parents(const vg_particles *parents, uint32_t carry, float perFrame, float end,
                                   const uint32_t *times, size_t count, uint32_t *from, float *left) {
  const float *owed = column(parents, carry);
  const float apart = 1 / perFrame;
  size_t named = 0;
  for (size_t i = 0; named < count; i++) {
    for (uint32_t k = times[i]; k > 0 && named < count; k--) {
      from[named] = (uint32_t)i;
      left[named++] = clamp((owed[i] + (float)(k - 1)) * apart + (1 - end), 0, MOST_LEFT);
    }
  }
}

VG_KERNEL void vg_sincos(float turns, float *c, float *s) {
  float t = wrap_turn(turns);
  *c = cosine(t);
  *s = sine(t);
}
