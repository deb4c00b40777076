#pragma once
#include <stddef.h>
#include <stdint.h>
#include "effects.h"

#pragma clang assume_nonnull begin

/* Values that change or are read in every frame are kept in columns (structure of arrays): one value of all particles.
   Each column is `stride` floats long and begins on a cache line. */
enum {
  VG_X, VG_Y, VG_Z,          /* position, points */
  VG_VX, VG_VY, VG_VZ,       /* velocity, points per second */
  VG_END,                    /* time of death by the pool's clock, seconds */
  VG_LEFT,                   /* share of the frame after the birth, 0…1; valid in the frame of the birth only */
  VG_CARRY                   /* first of one column per inner cell: the fraction of a birth that is carried over */
};

/* What a particle is given at birth and keeps. It takes half a cache line, so moving a particle to another row is
   cheap. */
typedef struct vg_attributes {
  float life;                    /* whole lifetime, seconds */
  float spin;                    /* radians per second; per lifetime if `perLifetime` of vg_life_growth is 1 */
  float scale;                   /* factor at birth minus the growth of its pool's scale until then */
  float red, green, blue, alpha; /* color at birth minus the growth of its pool's color until then */
  uint32_t order;                /* number of its birth in the system */
} vg_attributes;

/* The particles of a pool: `count` rows in columns of `stride` floats. */
typedef struct vg_particles {
  float *columns;
  vg_attributes *attributes;
  size_t stride;
  size_t count;
} vg_particles;

/* How much scale and color grow over the whole lifetime of each particle. */
typedef struct vg_life_growth {
  int perLifetime; /* 1: growth and spin are per lifetime; 0: all are 0, values grow with the pool */
  float scale, red, green, blue, alpha;
} vg_life_growth;

/* How a pool moves in one frame. */
typedef struct vg_motion {
  float seconds;
  float ax, ay, az; /* acceleration, points per second squared */
  float now;        /* the pool's clock at the frame's end: particles with VG_END at or before it are removed */
  int deep;         /* whether any particle has a z, or a velocity or acceleration along it */
} vg_motion;

/* A particle with a coordinate beyond ± this many points is removed. */
#define VG_FAR 1e7f

/* Moves all particles by one frame, exactly for a constant acceleration. Lists in `gone`, ascending, the rows of those
   that have reached their end, are beyond VG_FAR or are not finite. `gone` has room for all. Returns how many it
   lists. */
VG_REALTIME uint32_t vg_move(const vg_particles *all, const vg_motion *motion, uint32_t *gone);
/* Lists in `gone`, ascending, the rows from `first` on of particles that end in the frame of their birth, which lasts
   `seconds`. Returns how many it lists. */
VG_REALTIME uint32_t vg_list_short_lived(const vg_particles *all, size_t first, float seconds, uint32_t *gone);
/* Removes the listed rows: the last particles move into them, in a fixed order. The caller reduces `count`. */
VG_REALTIME void vg_remove(const vg_particles *all, uint32_t columns, const uint32_t *gone, uint32_t count);
/* Sets the pool's clock back by `seconds`, and adds the growth of scale and color so far to every particle. */
VG_REALTIME void vg_rebase_clock(const vg_particles *all, float seconds, const vg_attributes *grown);

#pragma clang assume_nonnull end
