#include "columns.h"

/* Writes every sprite, and overwrites one that cannot be seen with the next: the loop has no branch to mispredict. */
VG_INLINE size_t write_sprites(const vg_particles *all, const vg_sprite_style *s, vg_particle_sprite *restrict out, uint32_t *restrict rows,
                               const int listed) {
  const float *restrict x = column(all, VG_X), *restrict y = column(all, VG_Y), *restrict z = column(all, VG_Z);
  const float *restrict end = column(all, VG_END);
  const vg_attributes *restrict attributes = all->attributes;
  const vg_life_growth *g = &s->life;
  size_t shown = 0;
  for (size_t i = 0; i < all->count; i++) {
    vg_particle_sprite *one = out + shown;
    const vg_attributes *own = attributes + i;
    float age = max_of(own->life - (end[i] - s->now), 0);
    float fraction = g->counts ? life_fraction(age, own->life) : 0;
    float size = max_of(own->scale + s->scale + g->scale * fraction, 0);
    float opacity = clamp(own->alpha + s->alpha + g->alpha * fraction, 0, 1) * s->tintAlpha;
    one->x = x[i];
    one->y = y[i];
    one->z = z[i];
    one->scale = size;
    one->angle = own->spin * (g->counts ? fraction : age);
    one->red = clamp(own->red + s->red + g->red * fraction, 0, 1) * s->tintRed;
    one->green = clamp(own->green + s->green + g->green * fraction, 0, 1) * s->tintGreen;
    one->blue = clamp(own->blue + s->blue + g->blue * fraction, 0, 1) * s->tintBlue;
    one->alpha = opacity;
    one->age = age;
    one->material = s->material;
    one->birth = own->order;
    if (listed) rows[shown] = (uint32_t)i;
    shown += (size > 0) & (opacity > 0);
  }
  return shown;
}

VG_KERNEL size_t vg_write_sprites(const vg_particles *all, const vg_sprite_style *s, void *sprites, uint32_t *rows) {
  return rows ? write_sprites(all, s, sprites, rows, 1) : write_sprites(all, s, sprites, rows, 0);
}
