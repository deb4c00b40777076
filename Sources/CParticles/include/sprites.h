#pragma once
#include "particles.h"

#pragma clang assume_nonnull begin

/* One particle as it is to be seen; the same bytes as Swift's Sprite. */
typedef struct vg_particle_sprite {
  float x, y, z, scale, angle, red, green, blue, alpha, age;
  int32_t material;
  uint32_t birth;
} vg_particle_sprite;

/* What the sprites of one pool have in common. */
typedef struct vg_sprite_style {
  float now;
  float scale, red, green, blue, alpha;                 /* what the pool's have grown by */
  vg_life_growth life;
  float tintRed, tintGreen, tintBlue, tintAlpha;
  int32_t material;
} vg_sprite_style;

/* Writes the sprite of every particle that has a size and is not clear, and the row of each into `rows` where that is
   given; there must be room for all. Returns how many were written. */
VG_REALTIME size_t vg_write_sprites(const vg_particles *all, const vg_sprite_style *style, void *sprites, uint32_t *_Nullable rows);

#pragma clang assume_nonnull end
