#pragma once
#include "particles.h"

#pragma clang assume_nonnull begin

/* What is drawn at random for a particle: one word of 32 bits each. */
enum {
  VG_RANDOM_LIFE, VG_RANDOM_VELOCITY, VG_RANDOM_SCALE, VG_RANDOM_SPIN, VG_RANDOM_RED, VG_RANDOM_GREEN, VG_RANDOM_BLUE, VG_RANDOM_ALPHA,
  VG_RANDOM_ANGLE, VG_RANDOM_TILT, VG_RANDOM_PLACE1, VG_RANDOM_PLACE2, VG_RANDOM_PLACE3, VG_RANDOM_PLACE4, VG_RANDOM_CHOICE, VG_RANDOM_COUNT
};
typedef struct vg_random {
  uint32_t birth;         /* stirred with the number of the birth */
  uint32_t word[VG_RANDOM_COUNT];  /* one for each thing that is drawn */
} vg_random;

/* A value between mean − range and mean + range. */
typedef struct vg_spread {
  float mean, range;
} vg_spread;
/* What the values of a whole pool have grown by, and by how much more a second. */
typedef struct vg_drift {
  float sum, speed;
} vg_drift;

/* What the births of one cell in one frame have in common. Angles are in turns, a whole circle being 1. */
typedef struct vg_birth {
  vg_random random;
  float seconds, now; /* the frame's length, and the pool's clock at its end */
  float ax, ay, az;
  vg_spread life, velocity, scale, spin, red, green, blue, alpha;
  vg_drift scaleDrift, redDrift, greenDrift, blueDrift, alphaDrift;
  float naturalX, naturalY;  /* the direction of longitude 0 where no parent has one */
  float longitude;           /* −½…½ */
  float sinLatitude, cosLatitude;
  float fan;                 /* half the opening, 0…½: even in the plane of x and y */
  float cap;                 /* 1 − cos of half the opening, 0…2: even by solid angle, where `solid` */
  int solid;
} vg_birth;

enum { VG_POINT, VG_LINE, VG_RECTANGLE, VG_CUBOID, VG_CIRCLE, VG_SPHERE };
enum { VG_POINTS, VG_OUTLINE, VG_SURFACE, VG_VOLUME };
/* Where the particles of outer cells are born, and when. */
typedef struct vg_shape {
  int shape, mode;
  float width, height, depth;
  float x, y, z;                /* the center at the frame's end */
  float fromX, fromY, fromZ;    /* where it was at the frame's beginning, seen from there */
  double owed, apart, after;    /* the last birth is `owed × apart + after` before the frame's end, in frames, and every
                                   other one `apart` before the next */
} vg_shape;

/* The particles that emit. */
typedef struct vg_parents {
  vg_particles all;
  float seconds;    /* their own, in this frame */
  float ax, ay, az;
  float scale, red, green, blue, alpha; /* what their pool's have grown by, now */
  float now;                            /* their pool's clock */
  vg_life_growth life;
} vg_parents;

/* Gives birth to `count` particles in the rows from `first` on. `number` is that of the first in its cell, `order` in
   its system; `total` is how many births the frame would have without a limit: the first `count` of them are made. */
VG_REALTIME void vg_emit(const vg_particles *all, size_t first, size_t count, uint64_t total, uint32_t number,
                         uint32_t order, const vg_birth *birth, const vg_shape *shape);
/* The same from parents: `from` names the parent of each birth, VG_LEFT is filled. */
VG_REALTIME void vg_emit_from(const vg_particles *all, size_t first, size_t count, uint32_t number, uint32_t order,
                              const vg_birth *birth, const vg_parents *parents, const uint32_t *from);

/* How often each parent gives birth in this frame: `perFrame` births in a whole one, in the part from `begin` to `end`
   (0…1) and, from row `young` on, only in what it has lived of it. The fraction stays in column `carry`. Returns how
   many are born by all. */
VG_REALTIME uint64_t vg_due_births(const vg_particles *parents, uint32_t carry, size_t young, float perFrame, float begin,
                            float end, uint32_t *times);
/* Names the parents of the first `count` births, and what is left of the frame as each is born. */
VG_REALTIME void vg_assign_parents(const vg_particles *parents, uint32_t carry, float perFrame, float end,
                                 const uint32_t *times, size_t count, uint32_t *from, float *left);

/* The cosine and sine of a number of turns from −1 to 1; the same everywhere, to 2e-7. */
VG_REALTIME void vg_sincos(float turns, float *cosine, float *sine);

#pragma clang assume_nonnull end
