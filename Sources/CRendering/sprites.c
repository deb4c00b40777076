#include "pixels.h"

/* Where a pixel's neighbours begin in a picture, and how far between them it lies. */
typedef struct places {
  int32_t texel[8];
  float across[8] __attribute__((aligned(32)));
  float down[8] __attribute__((aligned(32)));
} places;

VG_PART void find_places(places *out, const vg_level *level, float step, const f8 *u, const f8 *v, int nearest) {
  f8 s = *u * (step * level->u_scale) + level->u_centre;
  f8 t = *v * (step * level->v_scale) + level->v_centre;
  s = MORE(s, (f8)level->u_first);
  s = LESS(s, (f8)level->u_last);
  t = MORE(t, (f8)level->v_first);
  t = LESS(t, (f8)level->v_last);
  if (nearest) {
    s += 0.5f;
    t += 0.5f;
  }
  i8 column = __builtin_convertvector(s, i8), row = __builtin_convertvector(t, i8);
  *(i8 *)out->texel = row * level->stride + column;
  *(f8 *)out->across = s - __builtin_convertvector(column, f8);
  *(f8 *)out->down = t - __builtin_convertvector(row, f8);
}

VG_PART void sample(f4 *out, const places *at, const vg_level *level, int i, int nearest) {
  const float *texels = level->texels + 4 * (size_t)(uint32_t)at->texel[i];
  if (nearest) {
    *out = *(const texel *)texels;
    return;
  }
  f8 above = *(const texel_pair *)texels;
  f8 below = *(const texel_pair *)(texels + 4 * (size_t)(uint32_t)level->stride);
  f8 both = above + (below - above) * at->down[i];
  *out = both.lo + (both.hi - both.lo) * at->across[i];
}

VG_PART void lay(float *base, float *light, size_t i, const f4 *colour, int adds, int lit) {
  if (adds) {
    f4 *there = (f4 *)(light + 4 * i);
    *there = *there + *colour;
  } else {
    float rest = 1 - colour->w;
    f4 *there = (f4 *)(base + 4 * i);
    *there = *colour + *there * rest;
    if (lit) {
      there = (f4 *)(light + 4 * i);
      *there = *there * rest;
    }
  }
}

/* What the rows of one sprite have in common. */
typedef struct pen {
  const vg_sprite *sprite;
  const vg_level *level;
  f4 colour;
  float *base, *light;
  int32_t row, left, right;  /* of the row being drawn */
  float away;                /* pixels from the centre down to the row */
  int lit;
} pen;

VG_PART void draw_row(const pen *pen, int kind, int adds) {
  const vg_sprite *s = pen->sprite;
  const i8 ramp = {0, 1, 2, 3, 4, 5, 6, 7};
  const f4 colour = pen->colour;
  for (int32_t x = pen->left; x < pen->right; x += 8) {
    f8 across = __builtin_convertvector(ramp + (x - s->x), f8) + (0.5f - s->x_part);
    float covered[8] __attribute__((aligned(32)));
    places first, second;
    if (kind == VG_SOFT) {
      f8 inside = 1 - (across * across + pen->away * pen->away) * s->step;
      inside = MORE(inside, (f8)0);
      f8 squared = inside * inside;
      *(f8 *)covered = squared * (0.3f + 0.7f * (squared * squared));
    } else {
      f8 u = across * s->cosine + pen->away * s->sine;
      f8 v = pen->away * s->cosine - across * s->sine;
      f8 cover_u = s->half_width - (u < 0 ? -u : u), cover_v = s->half_height - (v < 0 ? -v : v);
      cover_u = LESS(cover_u, (f8)s->most_across);
      cover_v = LESS(cover_v, (f8)s->most_down);
      *(f8 *)covered = MORE(cover_u, (f8)0) * MORE(cover_v, (f8)0);
      find_places(&first, pen->level, s->step, &u, &v, kind == VG_NEAREST);
      if (kind == VG_TRILINEAR) find_places(&second, pen->level + 1, s->step, &u, &v, 0);
    }
    int count = LESS(pen->right - x, 8);
#pragma clang loop unroll(disable)
    for (int i = 0; i < count; i++) {
      f4 here;
      if (kind == VG_SOFT) {
        here = colour * covered[i];
      } else {
        sample(&here, &first, pen->level, i, kind == VG_NEAREST);
        if (kind == VG_TRILINEAR) {
          f4 other;
          sample(&other, &second, pen->level + 1, i, 0);
          here = here + (other - here) * s->blend;
        }
        here = here * (colour * covered[i]);
      }
      lay(pen->base, pen->light, (size_t)(x + i), &here, adds, pen->lit);
    }
  }
}

/* The first and the last place across, from the centre on, where a straight band of the sprite can be in eight rows. */
VG_PART void narrow(f8 *first, f8 *last, const f8 *at, float slope, float half) {
  if (slope < 1e-4f && slope > -1e-4f) return;
  float turns = 1 / slope;
  f8 a = (-half - *at) * turns, b = (half - *at) * turns;
  f8 low = LESS(a, b), high = MORE(a, b);
  *first = MORE(*first, low);
  *last = LESS(*last, high);
}

/* The first pixels whose middles lie beyond eight places across. */
VG_PART void find_floors(int32_t *pixels, const f8 *across, const vg_sprite *s) {
  f8 place = *across + (s->x_part - 0.5f);
  place = MORE(place, (f8)-0x1p24f);
  place = LESS(place, (f8)0x1p24f);
  i8 whole = __builtin_convertvector(place, i8);
  whole += __builtin_convertvector(whole, f8) > place; /* -1 where it was rounded up */
  *(i8 *)pixels = whole + (s->x + 1);
}

/* The pixels of eight rows that a sprite may touch; some more do no harm, their share is 0. */
VG_PART void find_spans(int32_t *lefts, int32_t *rights, const vg_sprite *s, const f8 *away) {
  f8 square = s->reach * s->reach - *away * *away;
  f8 chord = __builtin_elementwise_sqrt(MORE(square, (f8)0));
  f8 first = -chord - 0.01f, last = chord + 0.01f;
  if (s->kind != VG_SOFT) {
    f8 u = *away * s->sine, v = -(*away * s->cosine);
    narrow(&first, &last, &u, s->cosine, s->half_width + 0.01f);
    narrow(&first, &last, &v, s->sine, s->half_height + 0.01f);
  }
  find_floors(lefts, &first, s);
  find_floors(rights, &last, s);
}

VG_PART void draw_sprite(const vg_tile *tile, const vg_sprite *s, const vg_level *levels, int kind, int adds) {
  int32_t top = MORE(s->top, tile->top), bottom = LESS(s->bottom, tile->bottom);
  int32_t left = MORE(s->left, tile->left), right = LESS(s->right, tile->right);
  if (left >= right) return;
  pen pen = {.sprite = s, .level = levels + s->level, .colour = {s->red, s->green, s->blue, s->alpha},
             .lit = tile->touched & 2};
  const i8 ramp = {0, 1, 2, 3, 4, 5, 6, 7};
  for (int32_t row = top; row < bottom; row += 8) {
    f8 away = __builtin_convertvector(ramp + (row - s->y), f8) + (0.5f - s->y_part);
    int32_t lefts[8] __attribute__((aligned(32))), rights[8] __attribute__((aligned(32)));
    find_spans(lefts, rights, s, &away);
    int count = LESS(bottom - row, 8);
    for (int i = 0; i < count; i++) {
      pen.left = MORE(lefts[i], left);
      pen.right = LESS(rights[i], right);
      if (pen.left >= pen.right) continue;
      pen.away = (float)(row + i - s->y) + (0.5f - s->y_part);
      ptrdiff_t start = ((ptrdiff_t)(row + i - tile->top) * tile->stride - tile->left) * 4;
      pen.base = tile->base + start;
      pen.light = tile->light + start;
      draw_row(&pen, kind, adds);
    }
  }
}

VG_PART void clear(const vg_tile *tile, float *pixels, const f4 *colour) {
  size_t count = (size_t)(tile->bottom - tile->top) * (size_t)tile->stride;
  for (size_t i = 0; i < count; i++) *(f4 *)(pixels + 4 * i) = *colour;
}

VG_KERNEL void vg_draw(vg_tile *tile, const vg_entry *entries, size_t count, const vg_sprite *sprites,
                       const vg_level *levels) {
  tile->touched = 0;
  for (size_t i = 0; i < count; i++) {
    if (entries[i].left >= tile->right || entries[i].right <= tile->left) continue;
    const vg_sprite *s = sprites + entries[i].sprite;
    if (s->top >= tile->bottom || s->bottom <= tile->top) continue;
    int bit = s->adds ? 2 : 1;
    if (!(tile->touched & bit)) {
      f4 nothing = {0, 0, 0, 0};
      f4 background = {tile->background[0], tile->background[1], tile->background[2], tile->background[3]};
      clear(tile, bit == 2 ? tile->light : tile->base, bit == 2 ? &nothing : &background);
      tile->touched |= bit;
    }
    switch (s->kind * 2 + !!s->adds) {
    case VG_NEAREST * 2: draw_sprite(tile, s, levels, VG_NEAREST, 0); break;
    case VG_NEAREST * 2 + 1: draw_sprite(tile, s, levels, VG_NEAREST, 1); break;
    case VG_BILINEAR * 2: draw_sprite(tile, s, levels, VG_BILINEAR, 0); break;
    case VG_BILINEAR * 2 + 1: draw_sprite(tile, s, levels, VG_BILINEAR, 1); break;
    case VG_TRILINEAR * 2: draw_sprite(tile, s, levels, VG_TRILINEAR, 0); break;
    case VG_TRILINEAR * 2 + 1: draw_sprite(tile, s, levels, VG_TRILINEAR, 1); break;
    case VG_SOFT * 2: draw_sprite(tile, s, levels, VG_SOFT, 0); break;
    default: draw_sprite(tile, s, levels, VG_SOFT, 1); break;
    }
  }
}

VG_KERNEL float vg_soft_light(float square) {
  float inside = 1 - square;
  inside = MORE(inside, 0);
  float squared = inside * inside;
  return squared * (0.3f + 0.7f * (squared * squared));
}
