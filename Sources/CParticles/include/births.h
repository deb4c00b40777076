#pragma once
#include "particles.h"

#pragma clang assume_nonnull begin

/* The random values of a particle: each has a word of 32 bits. */
enum {
  VG_RANDOM_LIFE, VG_RANDOM_VELOCITY, VG_RANDOM_SCALE, VG_RANDOM_SPIN, VG_RANDOM_RED, VG_RANDOM_GREEN, VG_RANDOM_BLUE, VG_RANDOM_ALPHA,
  VG_RANDOM_ANGLE, VG_RANDOM_TILT, VG_RANDOM_PLACE1, VG_RANDOM_PLACE2, VG_RANDOM_PLACE3, VG_RANDOM_PLACE4, VG_RANDOM_CHOICE, VG_RANDOM_COUNT
};
typedef struct vg_random {
  uint32_t birth;                 /* hashed with the birth's number: gives the birth's hash */
  uint32_t word[VG_RANDOM_COUNT]; /* each hashed with the birth's hash: gives a random value */
} vg_random;

/* A value that is uniform in mean − range…mean + range. */
typedef struct vg_spread {
  float mean, range;
} vg_spread;
/* The growth of a value of the whole pool so far, and its growth per second. */
typedef struct vg_drift {
  float sum, speed;
} vg_drift;

/* What all births of a cell in one frame share. Angles are in turns: a whole circle is 1. */
typedef struct vg_birth {
  vg_random random;
  float seconds, now; /* the frame's length, and the pool's clock at its end, in seconds */
  float ax, ay, az;   /* acceleration, points per second squared */
  vg_spread life, velocity, scale, spin, red, green, blue, alpha;
  vg_drift scaleDrift, redDrift, greenDrift, blueDrift, alphaDrift;
  float naturalX, naturalY;  /* direction of longitude 0 for births without a moving parent; a unit vector */
  float longitude;           /* −½…½ */
  float sinLatitude, cosLatitude;
  float fan;                 /* half the emission range, 0…½; used if not `solid` */
  float cap;                 /* 1 − cos of half the emission range, 0…2; used if `solid` */
  int solid;                 /* 1: directions in a cone, uniform by solid angle; 0: in the plane, uniform by angle */
} vg_birth;

enum { VG_POINT, VG_LINE, VG_RECTANGLE, VG_CUBOID, VG_CIRCLE, VG_SPHERE };
enum { VG_POINTS, VG_OUTLINE, VG_SURFACE, VG_VOLUME };
/* Where and when the particles of outer cells are born. */
typedef struct vg_shape {
  int shape, mode;
  float width, height, depth;   /* extents of a line or box, points; the radius of a circle or sphere is `width` */
  float x, y, z;                /* the center at the frame's end, points */
  float fromX, fromY, fromZ;    /* its position at the frame's beginning, relative to that at the end */
  /* `owed`: the fraction of a birth that is carried over; `apart`: frames between two births; `after`: frames from the
     end of the emission to the frame's end. The last birth is owed × apart + after frames before the frame's end, and
     each earlier one `apart` more. */
  double owed, apart, after;
} vg_shape;

/* The particles that emit others. */
typedef struct vg_parents {
  vg_particles all;
  float seconds;    /* length of this frame in the time of their pool */
  float ax, ay, az; /* their acceleration, points per second squared */
  float scale, red, green, blue, alpha; /* the growth of their pool's values so far */
  float now;                            /* their pool's clock, seconds */
  vg_life_growth life;
} vg_parents;

/* Emits `count` particles into the rows from `first` on. `number` and `order`: the number of the first birth in its
   cell and in its system. `total`: the births that the frame would have without a limit, of which the first `count`
   are made. */
VG_REALTIME void vg_emit(const vg_particles *all, size_t first, size_t count, uint64_t total, uint32_t number,
                         uint32_t order, const vg_birth *birth, const vg_shape *shape);
/* Emits from parents: `parent_rows` has the row of each birth's parent. Column VG_LEFT is filled already (by
   vg_assign_parents). */
VG_REALTIME void vg_emit_from(const vg_particles *all, size_t first, size_t count, uint32_t number, uint32_t order,
                              const vg_birth *birth, const vg_parents *parents, const uint32_t *parent_rows);

/* Writes how many births each parent has in this frame into `births_of`, and returns their sum. `perFrame`: births of a
   parent in a whole frame; only the part `begin`…`end` of the frame (0…1) counts. Parents from row `first_young` on
   were born in this frame: only the time that they live within that part counts. Column `carry` keeps the fraction of a
   birth that is left over. */
VG_REALTIME uint64_t vg_due_births(const vg_particles *parents, uint32_t carry, size_t first_young, float perFrame,
                                   float begin, float end, uint32_t *births_of);
/* Writes, for each of the first `count` births, the row of its parent and the share of the frame that remains after the
   birth, 0…1. */
VG_REALTIME void vg_assign_parents(const vg_particles *parents, uint32_t carry, float perFrame, float end,
                                   const uint32_t *births_of, size_t count, uint32_t *parent_rows, float *remaining);

/* Cosine and sine of −1…1 turns, with the same bytes on every processor and an error of at most 2e-7. */
VG_REALTIME void vg_sincos(float turns, float *cosine, float *sine);

#pragma clang assume_nonnull end
