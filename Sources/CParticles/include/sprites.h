#pragma once
#include "particles.h"

#pragma clang assume_nonnull begin

/* One particle as it is to be seen; the same bytes as Swift's Sprite. */
typedef struct vg_shown {
  float x, y, z, scale, angle, red, green, blue, alpha, age;
  int32_t look;
  uint32_t birth;
} vg_shown;

/* What the sprites of one population have in common. */
typedef struct vg_showing {
  float now;
  float scale, red, green, blue, alpha;                 /* what the population's have grown by */
  float tintRed, tintGreen, tintBlue, tintAlpha;
  int32_t look;
} vg_showing;

/* Writes the sprite of every particle that has a size and is not clear, and the row of each into `rows` where that is
   given; there must be room for all. Returns how many were written. */
VG_REALTIME size_t vg_show(const vg_particles *all, const vg_showing *showing, void *sprites, uint32_t *_Nullable rows);

#pragma clang assume_nonnull end
