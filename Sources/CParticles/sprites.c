#include "columns.h"

/* Writes a sprite for every particle; the next one overwrites it if it is invisible, so the loop has no branch to
   mispredict. */
VG_INLINE size_t write_sprites(const vg_particles *all, const vg_sprite_style *s, vg_particle_sprite *restrict out, uint32_t *restrict rows,
                               const int writes_rows) {
  const float *restrict x = column(all, VG_X), *restrict y = column(all, VG_Y), *restrict z = column(all, VG_Z);
  const float *restrict end = column(all, VG_END);
  const vg_attributes *restrict attributes = all->attributes;
  const vg_life_growth *g = &s->life;
  size_t shown = 0;
  for (size_t i = 0; i < all->count; i++) {
    vg_particle_sprite *sprite = out + shown;
    const vg_attributes *particle = attributes + i;
    float age = max_of(particle->life - (end[i] - s->now), 0);
    float fraction = g->perLifetime ? life_fraction(age, particle->life) : 0;
    float size = max_of(particle->scale + s->scale + g->scale * fraction, 0);
    float opacity = clamp(particle->alpha + s->alpha + g->alpha * fraction, 0, 1) * s->tintAlpha;
    sprite->x = x[i];
    sprite->y = y[i];
    sprite->z = z[i];
    sprite->scale = size;
    /* Spin is in radians per lifetime, or per second. */
    sprite->angle = particle->spin * (g->perLifetime ? fraction : age);
    sprite->red = clamp(particle->red + s->red + g->red * fraction, 0, 1) * s->tintRed;
    sprite->green = clamp(particle->green + s->green + g->green * fraction, 0, 1) * s->tintGreen;
    sprite->blue = clamp(particle->blue + s->blue + g->blue * fraction, 0, 1) * s->tintBlue;
    sprite->alpha = opacity;
    sprite->age = age;
    sprite->material = s->material;
    sprite->birth = particle->order;
    if (writes_rows) rows[shown] = (uint32_t)i;
    shown += (size > 0) & (opacity > 0);
  }
  return shown;
}

VG_KERNEL size_t vg_write_sprites(const vg_particles *all, const vg_sprite_style *s, void *sprites, uint32_t *rows) {
  return rows ? write_sprites(all, s, sprites, rows, 1) : write_sprites(all, s, sprites, rows, 0);
}
