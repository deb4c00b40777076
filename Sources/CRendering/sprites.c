#include "pixels.h"

/* Pixels of a row that are worked out together before they are drawn. */
enum { RUN = 64 };

/* For each pixel of a run: the byte where its texels begin, how far it lies between them, how much of it is covered. */
typedef struct run {
  int32_t texel[RUN] __attribute__((aligned(64)));
  float across[RUN] __attribute__((aligned(64)));
  float down[RUN] __attribute__((aligned(64)));
} run;

/* One size of the picture, in what a row needs of it. */
typedef struct samples {
  const char *texels;
  size_t below;              /* bytes from a texel to the one below */
  float stride;
  float u_first, u_last, v_first, v_last, u_centre, v_centre, u_scale, v_scale;
} samples;

VG_PART void take_level(samples *out, const vg_level *level, float step) {
  *out = (samples){
    .texels = (const char *)level->texels, .below = 16 * (size_t)(uint32_t)level->stride, .stride = (float)level->stride,
    .u_first = level->u_first, .u_last = level->u_last, .v_first = level->v_first, .v_last = level->v_last,
    .u_centre = level->u_centre, .v_centre = level->v_centre,
    .u_scale = step * level->u_scale, .v_scale = step * level->v_scale};
}

VG_PART void find_texels(run *out, int32_t i, const samples *level, const f8 *u, const f8 *v, int nearest) {
  f8 s = *u * level->u_scale + level->u_centre;
  f8 t = *v * level->v_scale + level->v_centre;
  s = MORE(s, (f8)level->u_first);
  s = LESS(s, (f8)level->u_last);
  t = MORE(t, (f8)level->v_first);
  t = LESS(t, (f8)level->v_last);
  if (nearest) {
    s += 0.5f;
    t += 0.5f;
  }
  f8 column = __builtin_convertvector(__builtin_convertvector(s, i8), f8);
  f8 row = __builtin_convertvector(__builtin_convertvector(t, i8), f8);
  /* whole numbers to 2^24 are exact in floats, and most processors multiply these faster */
  *(i8 *)(out->texel + i) = __builtin_convertvector(row * level->stride + column, i8) * 16;
  if (nearest) return;
  *(f8 *)(out->across + i) = s - column;
  *(f8 *)(out->down + i) = t - row;
}

VG_PART void sample(f4 *out, const run *at, const samples *level, int32_t i, int nearest) {
  const char *texels = level->texels + (size_t)(uint32_t)at->texel[i];
  if (nearest) {
    *out = *(const texel *)texels;
    return;
  }
  f8 above = *(const texel_pair *)texels;
  f8 below = *(const texel_pair *)(texels + level->below);
  f8 both = above + (below - above) * at->down[i];
  *out = both.lo + (both.hi - both.lo) * at->across[i];
}

/* What the rows of one sprite have in common. */
typedef struct pen {
  samples level, next;
  f4 colour;
  int32_t x;                 /* the pixel of the centre */
  float x_part;
  float cosine, sine, half_width, half_height, most_across, most_down, step, blend;
} pen;

/* The shares of the pixels of a run that are covered, and where their texels are. */
VG_PART void find_run(float *covered, run *first, run *second, const pen *pen, int32_t x, int32_t count, float away,
                      int kind) {
  const i8 ramp = {0, 1, 2, 3, 4, 5, 6, 7};
  const float part = 0.5f - pen->x_part;
  for (int32_t i = 0; i < count; i += 8) {
    f8 across = __builtin_convertvector(ramp + (x + i - pen->x), f8) + part;
    if (kind == VG_SOFT) {
      f8 inside = 1 - (across * across + away * away) * pen->step;
      inside = MORE(inside, (f8)0);
      f8 squared = inside * inside;
      *(f8 *)(covered + i) = squared * (0.3f + 0.7f * (squared * squared));
      continue;
    }
    f8 u = across * pen->cosine + away * pen->sine;
    f8 v = away * pen->cosine - across * pen->sine;
    f8 cover_u = pen->half_width - (u < 0 ? -u : u), cover_v = pen->half_height - (v < 0 ? -v : v);
    cover_u = LESS(cover_u, (f8)pen->most_across);
    cover_v = LESS(cover_v, (f8)pen->most_down);
    *(f8 *)(covered + i) = MORE(cover_u, (f8)0) * MORE(cover_v, (f8)0);
    find_texels(first, i, &pen->level, &u, &v, kind == VG_NEAREST);
    if (kind == VG_TRILINEAR) find_texels(second, i, &pen->next, &u, &v, 0);
  }
}

/* Draws `count` pixels, at most a run, from `x` on. `lit`: there is light that what lies over it hides. */
VG_PART void draw_run(const pen *pen, float *restrict base, float *restrict light, int32_t x, int32_t count, float away,
                      int kind, int adds, int lit) {
  float covered[RUN] __attribute__((aligned(64)));
  run first, second;
  find_run(covered, &first, &second, pen, x, count, away, kind);
  const f4 colour = pen->colour;
  for (int32_t i = 0; i < count; i++) {
    f4 here;
    if (kind == VG_SOFT) {
      here = colour * covered[i];
    } else {
      sample(&here, &first, &pen->level, i, kind == VG_NEAREST);
      if (kind == VG_TRILINEAR) {
        f4 other;
        sample(&other, &second, &pen->next, i, 0);
        here = here + (other - here) * pen->blend;
      }
      here = here * (colour * covered[i]);
    }
    if (adds) {
      f4 *there = (f4 *)light + i;
      *there = *there + here;
    } else {
      float rest = 1 - here.w;
      f4 *there = (f4 *)base + i;
      *there = here + *there * rest;
      if (lit) {
        there = (f4 *)light + i;
        *there = *there * rest;
      }
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

VG_PART void draw_sprite(const vg_tile *tile, const vg_sprite *s, const vg_level *levels, int kind, int adds, int lit) {
  int32_t top = MORE(s->top, tile->top), bottom = LESS(s->bottom, tile->bottom);
  int32_t left = MORE(s->left, tile->left), right = LESS(s->right, tile->right);
  if (left >= right) return;
  pen pen = {.colour = {s->red, s->green, s->blue, s->alpha}, .x = s->x, .x_part = s->x_part, .cosine = s->cosine,
             .sine = s->sine, .half_width = s->half_width, .half_height = s->half_height,
             .most_across = s->most_across, .most_down = s->most_down, .step = s->step, .blend = s->blend};
  if (kind != VG_SOFT) take_level(&pen.level, levels + s->level, s->step);
  if (kind == VG_TRILINEAR) take_level(&pen.next, levels + s->level + 1, s->step);
  const i8 ramp = {0, 1, 2, 3, 4, 5, 6, 7};
  const float part = 0.5f - s->y_part;
  for (int32_t row = top; row < bottom; row += 8) {
    f8 aways = __builtin_convertvector(ramp + (row - s->y), f8) + part;
    int32_t lefts[8] __attribute__((aligned(32))), rights[8] __attribute__((aligned(32)));
    find_spans(lefts, rights, s, &aways);
    int32_t count = LESS(bottom - row, 8);
    for (int32_t i = 0; i < count; i++) {
      int32_t from = MORE(lefts[i], left), to = LESS(rights[i], right);
      float away = (float)(row + i - s->y) + part;
      ptrdiff_t start = ((ptrdiff_t)(row + i - tile->top) * tile->stride - tile->left) * 4;
      for (int32_t x = from; x < to; x += RUN) {
        int32_t length = LESS(to - x, RUN);
        ptrdiff_t place = start + (ptrdiff_t)x * 4;
        draw_run(&pen, tile->base + place, tile->light + place, x, length, away, kind, adds, lit);
      }
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
#define DRAW(kind)                                                                                                     \
  if (s->adds) draw_sprite(tile, s, levels, kind, 1, 0);                                                               \
  else if (tile->touched & 2) draw_sprite(tile, s, levels, kind, 0, 1);                                                \
  else draw_sprite(tile, s, levels, kind, 0, 0);                                                                       \
  break
    switch (s->kind) {
    case VG_NEAREST: DRAW(VG_NEAREST);
    case VG_BILINEAR: DRAW(VG_BILINEAR);
    case VG_TRILINEAR: DRAW(VG_TRILINEAR);
    default: DRAW(VG_SOFT);
    }
  }
}

VG_KERNEL float vg_soft_light(float square) {
  float inside = 1 - square;
  inside = MORE(inside, 0);
  float squared = inside * inside;
  return squared * (0.3f + 0.7f * (squared * squared));
}
