#include "shapes.h"

/* Births are worked in batches that stay in the first-level cache, one property after another. */
#define BATCH 256

/* What a birth takes from where it comes from. */
typedef struct emission {
  uint32_t birth[BATCH];
  float x[BATCH], y[BATCH], z[BATCH];
  float headX[BATCH], headY[BATCH], level[BATCH], rise[BATCH]; /* a direction: in the plane, and out of it */
  float scale[BATCH], red[BATCH], green[BATCH], blue[BATCH], alpha[BATCH];
} emission;

/* What is drawn, side by side, before it goes to the particles one by one. */
typedef struct drawn {
  float life[BATCH], spin[BATCH], scale[BATCH], red[BATCH], green[BATCH], blue[BATCH], alpha[BATCH];
} drawn;

VG_INLINE void draw_births(uint32_t *birth, const vg_random *random, uint32_t number, size_t count) {
  for (size_t i = 0; i < count; i++) birth[i] = hashed(random->birth + number + (uint32_t)i);
}

VG_INLINE void draw_life(float *restrict life, float *restrict end, const float *restrict left, const uint32_t *birth,
                         size_t count, const vg_birth *b) {
  for (size_t i = 0; i < count; i++) {
    float drawn = at_least(b->life.mean + b->life.range * either_side(birth[i], b->random.word[VG_RANDOM_LIFE]), 0);
    life[i] = drawn;
    end[i] = b->now + (drawn - left[i] * b->seconds);
  }
}

VG_INLINE void draw(float *out, const uint32_t *birth, size_t count, vg_spread spread, uint32_t word) {
  if (spread.range == 0) {
    for (size_t i = 0; i < count; i++) out[i] = spread.mean;
  } else {
    for (size_t i = 0; i < count; i++) out[i] = spread.mean + spread.range * either_side(birth[i], word);
  }
}

/* A value that grows with its pool: kept less what that has grown by at the moment of birth. */
VG_INLINE void settle(float *restrict out, const float *restrict left, const float *restrict inherited, size_t count,
                      float high, vg_drift drift, float seconds, const int inner) {
  for (size_t i = 0; i < count; i++) {
    float value = within(out[i], 0, high);
    if (inner) value *= inherited[i];
    out[i] = value - (drift.sum - drift.speed * (left[i] * seconds));
  }
}

/* The direction of each, as a unit vector in place of the heading and rise. */
VG_INLINE void aim(emission *o, size_t count, const vg_birth *b, const int solid) {
  for (size_t i = 0; i < count; i++) {
    uint32_t birth = o->birth[i];
    float turn = b->longitude;
    if (!solid) turn = one_turn(turn + b->fan * either_side(birth, b->random.word[VG_RANDOM_ANGLE]));
    float c = cosine(turn), s = sine(turn);
    float x = o->headX[i] * c - o->headY[i] * s, y = o->headX[i] * s + o->headY[i] * c;
    float level = o->level[i] * b->cosLatitude - o->rise[i] * b->sinLatitude;
    float rise = o->rise[i] * b->cosLatitude + o->level[i] * b->sinLatitude;
    if (solid) {
      /* about the axis, even by solid angle: even along it, and round it */
      float short_of = b->cap * part(birth, b->random.word[VG_RANDOM_TILT]);
      float along = 1 - short_of, away = __builtin_sqrtf(short_of * (2 - short_of));
      float round = 0.5f * either_side(birth, b->random.word[VG_RANDOM_ANGLE]);
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

/* Everybody's place and velocity at the frame's end, from those at birth. */
VG_INLINE void set_out(const vg_particles *all, size_t first, size_t count, const vg_birth *b, const emission *o) {
  float *restrict x = column(all, VG_X) + first, *restrict y = column(all, VG_Y) + first;
  float *restrict z = column(all, VG_Z) + first, *restrict vx = column(all, VG_VX) + first;
  float *restrict vy = column(all, VG_VY) + first, *restrict vz = column(all, VG_VZ) + first;
  const float *restrict left = column(all, VG_LEFT) + first;
  const float hx = 0.5f * b->ax, hy = 0.5f * b->ay, hz = 0.5f * b->az;
  for (size_t i = 0; i < count; i++) {
    float speed = b->velocity.mean;
    speed += b->velocity.range * either_side(o->birth[i], b->random.word[VG_RANDOM_VELOCITY]);
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

VG_INLINE void emit(const vg_particles *all, size_t first, size_t count, uint32_t order, const vg_birth *b, emission *o,
                    const int inner) {
  const float *left = column(all, VG_LEFT) + first;
  const uint32_t *word = b->random.word;
  drawn d;
  draw_life(d.life, column(all, VG_END) + first, left, o->birth, count, b);
  if (b->solid) aim(o, count, b, 1);
  else aim(o, count, b, 0);
  set_out(all, first, count, b, o);
  draw(d.spin, o->birth, count, b->spin, word[VG_RANDOM_SPIN]);
  draw(d.scale, o->birth, count, b->scale, word[VG_RANDOM_SCALE]);
  draw(d.red, o->birth, count, b->red, word[VG_RANDOM_RED]);
  draw(d.green, o->birth, count, b->green, word[VG_RANDOM_GREEN]);
  draw(d.blue, o->birth, count, b->blue, word[VG_RANDOM_BLUE]);
  draw(d.alpha, o->birth, count, b->alpha, word[VG_RANDOM_ALPHA]);
  settle(d.scale, left, o->scale, count, 1e9f, b->scaleDrift, b->seconds, inner);
  settle(d.red, left, o->red, count, 1, b->redDrift, b->seconds, inner);
  settle(d.green, left, o->green, count, 1, b->greenDrift, b->seconds, inner);
  settle(d.blue, left, o->blue, count, 1, b->blueDrift, b->seconds, inner);
  settle(d.alpha, left, o->alpha, count, 1, b->alphaDrift, b->seconds, inner);
  vg_attributes *attributes = all->attributes + first;
  for (size_t i = 0; i < count; i++) {
    attributes[i] = (vg_attributes){d.life[i], d.spin[i], d.scale[i], d.red[i], d.green[i], d.blue[i], d.alpha[i],
                             order + (uint32_t)i};
  }
}

/* Never the whole frame: who lives exactly one frame is seen in the one it is born in. */
#define MOST_LEFT (1 - 0x1p-20f)

VG_KERNEL void vg_emit(const vg_particles *all, size_t first, size_t count, uint64_t total, uint32_t number,
                       uint32_t order, const vg_birth *b, const vg_shape *s) {
  emission o;
  for (size_t done = 0; done < count; done += BATCH) {
    size_t some = count - done < BATCH ? count - done : BATCH;
    float *left = column(all, VG_LEFT) + first + done;
    double last = s->owed + (double)(total - 1 - done);
    for (size_t i = 0; i < some; i++)
      left[i] = within((float)((last - (double)(int32_t)i) * s->apart + s->after), 0, MOST_LEFT);
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

/* A parent as it was when this birth happened, on its path inside the frame; its size and color are those of now. */
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
    int turns = flat > 0, goes = speed > 0;
    float inFlat = 1 / (turns ? flat : 1), inSpeed = 1 / (goes ? speed : 1);
    o->headX[i] = turns ? ux * inFlat : b->naturalX;
    o->headY[i] = turns ? uy * inFlat : b->naturalY;
    o->level[i] = goes ? flat * inSpeed : 1;
    o->rise[i] = goes ? uz * inSpeed : 0;
    const vg_attributes *parent = p->all.attributes + k;
    float part = g->counts ? lived(parent->life - (end[k] - p->now), parent->life) : 0;
    o->scale[i] = at_least(parent->scale + p->scale + g->scale * part, 0);
    o->red[i] = within(parent->red + p->red + g->red * part, 0, 1);
    o->green[i] = within(parent->green + p->green + g->green * part, 0, 1);
    o->blue[i] = within(parent->blue + p->blue + g->blue * part, 0, 1);
    o->alpha[i] = within(parent->alpha + p->alpha + g->alpha * part, 0, 1);
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

/* A birth that falls due within a ten-thousandth of one comes now: rounding must not put it off by a frame. What is
   owed goes below nothing by as much, so no birth is gained. */
#define NEARLY 1e-4f
/* No parent has more in one frame. */
#define MOST 16777216.0f

VG_KERNEL uint64_t vg_due_births(const vg_particles *parents, uint32_t carry, size_t young, float perFrame, float begin,
                          float end, uint32_t *times) {
  float *restrict owed = column(parents, carry);
  const float *restrict left = column(parents, VG_LEFT);
  const float whole = perFrame * (end - begin);
  uint64_t sum = 0;
  for (size_t i = 0; i < young; i++) {
    float due = within(owed[i] + whole, -1, MOST);
    int32_t now = (int32_t)at_least(due + NEARLY, 0);
    owed[i] = due - (float)now;
    times[i] = (uint32_t)now;
    sum += (uint32_t)now;
  }
  for (size_t i = young; i < parents->count; i++) {
    float lived = at_least(end - at_least(1 - left[i], begin), 0);
    float due = within(perFrame * lived, 0, MOST);
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
      left[named++] = within((owed[i] + (float)(k - 1)) * apart + (1 - end), 0, MOST_LEFT);
    }
  }
}

VG_KERNEL void vg_sincos(float turns, float *c, float *s) {
  float t = one_turn(turns);
  *c = cosine(t);
  *s = sine(t);
}
