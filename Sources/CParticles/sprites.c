#include "columns.h"

/* Every sprite is written, and the next one over it if it cannot be seen: no branch to guess. */
VG_INLINE size_t show(const vg_particles *all, const vg_showing *s, vg_shown *restrict out, uint32_t *restrict rows,
                      const int listed) {
  const float *restrict x = column(all, VG_X), *restrict y = column(all, VG_Y), *restrict z = column(all, VG_Z);
  const float *restrict end = column(all, VG_END), *restrict life = column(all, VG_LIFE);
  const float *restrict scale = column(all, VG_SCALE), *restrict spin = column(all, VG_SPIN);
  const float *restrict red = column(all, VG_RED), *restrict green = column(all, VG_GREEN);
  const float *restrict blue = column(all, VG_BLUE), *restrict alpha = column(all, VG_ALPHA);
  size_t shown = 0;
  for (size_t i = 0; i < all->count; i++) {
    vg_shown *one = out + shown;
    float age = at_least(life[i] - (end[i] - s->now), 0);
    float size = at_least(scale[i] + s->scale, 0), solid = within(alpha[i] + s->alpha, 0, 1) * s->tintAlpha;
    one->x = x[i];
    one->y = y[i];
    one->z = z[i];
    one->scale = size;
    one->angle = spin[i] * age;
    one->red = within(red[i] + s->red, 0, 1) * s->tintRed;
    one->green = within(green[i] + s->green, 0, 1) * s->tintGreen;
    one->blue = within(blue[i] + s->blue, 0, 1) * s->tintBlue;
    one->alpha = solid;
    one->age = age;
    one->look = s->look;
    if (listed) rows[shown] = (uint32_t)i;
    shown += (size > 0) & (solid > 0);
  }
  return shown;
}

VG_KERNEL size_t vg_show(const vg_particles *all, const vg_showing *s, void *sprites, uint32_t *rows) {
  return rows ? show(all, s, sprites, rows, 1) : show(all, s, sprites, rows, 0);
}
