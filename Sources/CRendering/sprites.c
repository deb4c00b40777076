#include "pixels.h"

/* Pixels that are worked out together before they are drawn. They stand in pairs of neighbors, as the tile has them. */
enum { RUN = 128 };

/* For each pixel of a run, in one size of the picture: the byte where its texels begin, how far down it lies between
   them, and how much it takes of those on the left and on the right. Room for a group that begins with the last pair. */
typedef struct texels {
  int32_t first[RUN + 8];
  float down[RUN + 8], left[RUN + 8], right[RUN + 8];
} texels;

/* The pixels of one row or of several, one after another. */
typedef struct run {
  texels own, next;
  int32_t place[RUN + 8]; /* its first float in the tile */
  int32_t count;
} run;

/* One size of the picture, in what a row needs of it. */
typedef struct samples {
  const char *texels;
  size_t below;              /* bytes from a texel to the one below */
  float stride;
  float u_first, u_last, v_first, v_last, u_centre, v_centre, u_scale, v_scale;
} samples;

VG_PART void take_level(samples *out, const vg_mip_level *level, float step) {
  *out = (samples){
    .texels = (const char *)level->texels, .below = 16 * (size_t)(uint32_t)level->stride, .stride = (float)level->stride,
    .u_first = level->u_first, .u_last = level->u_last, .v_first = level->v_first, .v_last = level->v_last,
    .u_centre = level->u_centre, .v_centre = level->v_centre,
    .u_scale = step * level->u_scale, .v_scale = step * level->v_scale};
}

/* What eight pixels take from one size; `covered` is how much of each is drawn. */
VG_PART void find_texels(texels *out, int32_t at, const samples *level, const f8 *u, const f8 *v, const f8 *covered,
                         int nearest) {
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
  *(loose_i8 *)(out->first + at) = __builtin_convertvector(row * level->stride + column, i8) * 16;
  if (nearest) {
    *(loose_f8 *)(out->left + at) = *covered;
    return;
  }
  f8 right = *covered * (s - column);
  *(loose_f8 *)(out->down + at) = t - row;
  *(loose_f8 *)(out->left + at) = *covered - right;
  *(loose_f8 *)(out->right + at) = right;
}

/* A number of each of two pixels, for all four floats of both. */
VG_PART void spread(f8 *out, const float *pair) {
  f2 two = *(const loose_f2 *)pair;
  *out = __builtin_shufflevector(two, two, 0, 0, 0, 0, 1, 1, 1, 1);
}

/* The texels of a pixel and of its right neighbor, between the row above and the one below. */
VG_PART void sample(f8 *out, const texels *at, const samples *level, int32_t i) {
  const char *texels = level->texels + (size_t)(uint32_t)at->first[i];
  f8 above = *(const loose_f8 *)texels;
  f8 below = *(const loose_f8 *)(texels + level->below);
  *out = above + (below - above) * at->down[i];
}

/* What a pair of pixels shows of one size. */
VG_PART void sample_pair(f8 *out, const texels *at, const samples *level, int32_t i, int nearest) {
  f8 left, right, here, there;
  spread(&left, at->left + i);
  if (nearest) {
    f4 one = *(const loose_f4 *)(level->texels + (size_t)(uint32_t)at->first[i]);
    f4 other = *(const loose_f4 *)(level->texels + (size_t)(uint32_t)at->first[i + 1]);
    *out = __builtin_shufflevector(one, other, 0, 1, 2, 3, 4, 5, 6, 7) * left;
    return;
  }
  spread(&right, at->right + i);
  sample(&here, at, level, i);
  sample(&there, at, level, i + 1);
  *out = __builtin_shufflevector(here, there, 0, 1, 2, 3, 8, 9, 10, 11) * left +
         __builtin_shufflevector(here, there, 4, 5, 6, 7, 12, 13, 14, 15) * right;
}

/* What the rows of one sprite have in common. */
typedef struct pen {
  samples level, next;
  f8 color;                 /* twice */
  int32_t x;                 /* the pixel of the center */
  float x_part;
  float cosine, sine, half_width, half_height, most_across, most_down, step, blend;
} pen;

/* Adds `count` pixels of a row, an even number, from `x` on, whose first is at `place`. Those outside `from` ... `to` - 1
   are there to make up pairs, and nothing is drawn of them. */
VG_PART void add_row(run *out, const pen *pen, int32_t x, int32_t count, int32_t from, int32_t to, int32_t place,
                     float away, int kind) {
  const i8 ramp = {0, 1, 2, 3, 4, 5, 6, 7};
  const float part = 0.5f - pen->x_part;
  const float u_away = away * pen->sine, v_away = away * pen->cosine;
  for (int32_t i = 0; i < count; i += 8) {
    int32_t at = out->count + i;
    i8 column = ramp + (x + i);
    i8 inside = (column >= from) & (column < to);
    f8 across = __builtin_convertvector(column - pen->x, f8) + part;
    f8 covered;
    *(loose_i8 *)(out->place + at) = ramp * 4 + (place + 4 * i);
    if (kind == VG_SOFT) {
      f8 near = 1 - (across * across + away * away) * pen->step;
      near = MORE(near, (f8)0);
      f8 squared = near * near;
      covered = squared * (0.3f + 0.7f * (squared * squared));
      *(loose_f8 *)(out->own.left + at) = inside ? covered : (f8)0;
      continue;
    }
    f8 u = across * pen->cosine + u_away;
    f8 v = v_away - across * pen->sine;
    f8 cover_u = pen->half_width - __builtin_elementwise_abs(u);
    f8 cover_v = pen->half_height - __builtin_elementwise_abs(v);
    cover_u = LESS(cover_u, (f8)pen->most_across);
    cover_v = LESS(cover_v, (f8)pen->most_down);
    covered = MORE(cover_u, (f8)0) * MORE(cover_v, (f8)0);
    covered = inside ? covered : (f8)0;
    if (kind == VG_TRILINEAR) {
      f8 farther = covered * pen->blend;
      covered = covered - farther;
      find_texels(&out->next, at, &pen->next, &u, &v, &farther, 0);
    }
    find_texels(&out->own, at, &pen->level, &u, &v, &covered, kind == VG_NEAREST);
  }
  out->count += count;
}

/* Draws a run, and leaves it empty. `lit`: there is light that what lies over it hides. */
VG_PART void draw_run(run *run, const pen *pen, float *base, float *light, int kind, int adds, int lit) {
  const f8 color = pen->color;
  const int32_t count = run->count;
  for (int32_t i = 0; i < count; i += 2) {
    f8 here;
    if (kind == VG_SOFT) {
      spread(&here, run->own.left + i);
    } else {
      sample_pair(&here, &run->own, &pen->level, i, kind == VG_NEAREST);
      if (kind == VG_TRILINEAR) {
        f8 other;
        sample_pair(&other, &run->next, &pen->next, i, 0);
        here = here + other;
      }
    }
    here = here * color;
    size_t place = (size_t)(uint32_t)run->place[i];
    if (adds) {
      loose_f8 *there = (loose_f8 *)(light + place);
      *there = *there + here;
    } else {
      f8 rest = 1 - __builtin_shufflevector(here, here, 3, 3, 3, 3, 7, 7, 7, 7);
      loose_f8 *there = (loose_f8 *)(base + place);
      *there = here + *there * rest;
      if (lit) {
        there = (loose_f8 *)(light + place);
        *there = *there * rest;
      }
    }
  }
  run->count = 0;
}

/* Pixels across for each one away, along a straight band; 0 where the band is all but level and ends nowhere. */
VG_PART float across_for_one(float slope) { return slope < 1e-4f && slope > -1e-4f ? 0 : 1 / slope; }

/* The first and the last place across, from the center on, where a straight band of the sprite can be in eight rows. */
VG_PART void narrow(f8 *first, f8 *last, const f8 *at, float turns, float half) {
  if (turns == 0) return;
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
VG_PART void find_spans(int32_t *lefts, int32_t *rights, const vg_sprite *s, const f8 *away, float for_cosine,
                        float for_sine) {
  f8 square = s->reach * s->reach - *away * *away;
  f8 chord = __builtin_elementwise_sqrt(MORE(square, (f8)0));
  f8 first = -chord - 0.01f, last = chord + 0.01f;
  if (s->kind != VG_SOFT) {
    f8 u = *away * s->sine, v = -(*away * s->cosine);
    narrow(&first, &last, &u, for_cosine, s->half_width + 0.01f);
    narrow(&first, &last, &v, for_sine, s->half_height + 0.01f);
  }
  find_floors(lefts, &first, s);
  find_floors(rights, &last, s);
}

VG_PART void draw_sprite(const vg_tile *tile, const vg_sprite *s, const vg_mip_level *levels, int kind, int adds, int lit) {
  int32_t top = MORE(s->top, tile->top), bottom = LESS(s->bottom, tile->bottom);
  int32_t left = MORE(s->left, tile->left), right = LESS(s->right, tile->right);
  if (left >= right) return;
  pen pen = {.color = {s->red, s->green, s->blue, s->alpha, s->red, s->green, s->blue, s->alpha}, .x = s->x,
             .x_part = s->x_part, .cosine = s->cosine, .sine = s->sine, .half_width = s->half_width,
             .half_height = s->half_height, .most_across = s->most_across, .most_down = s->most_down, .step = s->step,
             .blend = s->blend};
  if (kind != VG_SOFT) take_level(&pen.level, levels + s->level, s->step);
  if (kind == VG_TRILINEAR) take_level(&pen.next, levels + s->level + 1, s->step);
  const i8 ramp = {0, 1, 2, 3, 4, 5, 6, 7};
  const float part = 0.5f - s->y_part;
  const float for_cosine = across_for_one(s->cosine), for_sine = across_for_one(s->sine);
  run run;
  run.count = 0;
  for (int32_t row = top; row < bottom; row += 8) {
    f8 aways = __builtin_convertvector(ramp + (row - s->y), f8) + part;
    int32_t lefts[8] __attribute__((aligned(32))), rights[8] __attribute__((aligned(32)));
    find_spans(lefts, rights, s, &aways, for_cosine, for_sine);
    int32_t count = LESS(bottom - row, 8);
    for (int32_t i = 0; i < count; i++) {
      int32_t from = MORE(lefts[i], left), to = LESS(rights[i], right);
      float away = (float)(row + i - s->y) + part;
      int32_t start = (row + i - tile->top) * tile->stride - tile->left;
      for (int32_t x = from - ((from - tile->left) & 1); x < to; x += RUN) {
        int32_t length = LESS(to - x + ((to - x) & 1), RUN);
        if (run.count + length > RUN) draw_run(&run, &pen, tile->base, tile->light, kind, adds, lit);
        add_row(&run, &pen, x, length, from, to, (start + x) * 4, away, kind);
      }
    }
  }
  draw_run(&run, &pen, tile->base, tile->light, kind, adds, lit);
}

VG_PART void clear(const vg_tile *tile, float *pixels, const f4 *color) {
  size_t count = (size_t)(tile->bottom - tile->top) * (size_t)tile->stride;
  for (size_t i = 0; i < count; i++) *(f4 *)(pixels + 4 * i) = *color;
}

VG_KERNEL void vg_draw(vg_tile *tile, const vg_entry *entries, size_t count, const vg_sprite *sprites,
                       const vg_mip_level *levels) {
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

VG_KERNEL float vg_light_profile(float square) {
  float inside = 1 - square;
  inside = MORE(inside, 0);
  float squared = inside * inside;
  return squared * (0.3f + 0.7f * (squared * squared));
}
