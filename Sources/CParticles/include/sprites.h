#pragma once
#include "particles.h"

#pragma clang assume_nonnull begin

/* A particle as it is drawn. Has the memory layout of Swift's Sprite. */
typedef struct vg_particle_sprite {
  float x, y, z, scale, angle, red, green, blue, alpha, age;
  int32_t material;
  uint32_t birth;
} vg_particle_sprite;

/* What all sprites of a pool share. */
typedef struct vg_sprite_style {
  float now;                                            /* the pool's clock, in seconds */
  float scale, red, green, blue, alpha;                 /* the growth of the pool's values so far */
  vg_life_growth life;
  float tintRed, tintGreen, tintBlue, tintAlpha;
  int32_t material;
} vg_sprite_style;

/* Writes a sprite for each particle whose scale and alpha are above 0, and its row in the pool into `rows`, if given.
   `sprites` and `rows` need room for all particles. Returns how many were written. */
VG_REALTIME size_t vg_write_sprites(const vg_particles *all, const vg_sprite_style *style, void *sprites, uint32_t *_Nullable rows);

#pragma clang assume_nonnull end
