#pragma once
#include <stddef.h>
#include <stdint.h>
#include "effects.h"

#pragma clang assume_nonnull begin

/* What changes from frame to frame, or is looked at in every one, is kept in columns: one number of every particle, side
   by side. Every column is `stride` numbers long and begins on a cache line. */
enum {
  VG_X, VG_Y, VG_Z,          /* where, points */
  VG_VX, VG_VY, VG_VZ,       /* velocity, points a second */
  VG_END,                    /* when it dies, by the clock of its pool */
  VG_LEFT,                   /* what was left of its first frame when it was born, 0…1; of use in that frame only */
  VG_CARRY                   /* from here on: the fraction of a birth that it owes each inner cell */
};

/* What a particle is given at birth and keeps. Half a cache line, so that a particle that takes another's place is
   soon moved. */
typedef struct vg_attributes {
  float life;                    /* seconds it lives in all */
  float spin;                    /* radians a second */
  float scale;                   /* its factor at birth, less what its pool's had grown by then */
  float red, green, blue, alpha; /* its color at birth, less what its pool's had grown by then */
  uint32_t order;                /* which birth of the system it was */
} vg_attributes;

typedef struct vg_particles {
  float *columns;
  vg_attributes *attributes;
  size_t stride;
  size_t count;
} vg_particles;

/* By how much size and color grow over the whole of a particle's own life. */
typedef struct vg_life_growth {
  int counts; /* whether they do, and spin is radians in a life; else all is 0, and they grow with their pool */
  float scale, red, green, blue, alpha;
} vg_life_growth;

/* How a pool moves in one frame. */
typedef struct vg_motion {
  float seconds;
  float ax, ay, az; /* points a second, each second */
  float now;        /* what ends until then is over */
  int deep;         /* whether any of it has a z, or moves along it */
} vg_motion;

/* Beyond this many points from the corner of the stage a particle is given up. */
#define VG_FAR 1e7f

/* Moves all by one frame, exactly for an acceleration that does not change, and lists, ascending, those that are over:
   at their end, too far or no number any more. `gone` has room for all. Returns how many they are. */
VG_REALTIME uint32_t vg_move(const vg_particles *all, const vg_motion *motion, uint32_t *gone);
/* Lists, ascending, those from `first` on that did not outlive the frame they were born in, which lasted `seconds`. */
VG_REALTIME uint32_t vg_list_short_lived(const vg_particles *all, size_t first, float seconds, uint32_t *gone);
/* Takes the listed ones out; the last particles take their places, in a fixed order. The caller counts. */
VG_REALTIME void vg_remove(const vg_particles *all, uint32_t columns, const uint32_t *gone, uint32_t count);
/* Sets the pool's clock back by `seconds`, and gives every particle what its size and color have grown by. */
VG_REALTIME void vg_rebase_clock(const vg_particles *all, float seconds, const vg_attributes *grown);

#pragma clang assume_nonnull end
