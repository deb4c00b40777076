#include "vectors.h"

/* Pixels whose coverage is computed before they are drawn, in pairs of neighbors as in the tile. Arrays also have room
   for a vector of eight that begins with the last pair. */
enum { RUN = 128, RUN_ROOM = RUN + 8 };

/* The profile of the built-in light, of a float or of eight: see CRendering.h. */
#define LIGHT_PROFILE(squared) ((squared) * (VG_LIGHT_WIDE + VG_LIGHT_NARROW * ((squared) * (squared))))

/* Texture lookups of each pixel of a run in one mip level. */
typedef struct lookups {
  int32_t first[RUN_ROOM];    /* byte offset of the upper left texel */
  float down[RUN_ROOM];       /* vertical fraction between the two rows, 0…1 */
  float left[RUN_ROOM], right[RUN_ROOM]; /* weights of the two columns, times the pixel's coverage */
} lookups;

/* The pixels of one row or of several, one after another. */
typedef struct pixel_run {
  lookups finer, coarser; /* in the sprite's mip level, and in the next one */
  int32_t tile_offset[RUN_ROOM]; /* index of the pixel's first float in the tile */
  int32_t count;
} pixel_run;

/* A mip level, in the form in which rows sample it. */
typedef struct sampler {
  const char *texels;
  size_t below;              /* bytes from a texel to the one in the next row */
  float stride, u_first, u_last, v_first, v_last, u_centre, v_centre, u_scale, v_scale;
} sampler;

VG_INLINE void make_sampler(sampler *out, const vg_mip_level *level, float step) {
  *out = (sampler){
    .texels = (const char *)level->texels, .below = 16 * (size_t)(uint32_t)level->stride, .stride = (float)level->stride,
    .u_first = level->u_first, .u_last = level->u_last, .v_first = level->v_first, .v_last = level->v_last,
    .u_centre = level->u_centre, .v_centre = level->v_centre, .u_scale = step * level->u_scale,
    .v_scale = step * level->v_scale};
}

/* Computes the lookups of eight pixels in one mip level. `covered`: the coverage of each, 0…1. */
VG_INLINE void find_texels(lookups *out, int32_t at, const sampler *level, const f8 *u, const f8 *v, const f8 *covered,
                           int nearest) {
  f8 s = *u * level->u_scale + level->u_centre;
  f8 t = *v * level->v_scale + level->v_centre;
  s = MAX(s, (f8)level->u_first);
  s = MIN(s, (f8)level->u_last);
  t = MAX(t, (f8)level->v_first);
  t = MIN(t, (f8)level->v_last);
  if (nearest) {
    s += 0.5f;
    t += 0.5f;
  }
  f8 column = __builtin_convertvector(__builtin_convertvector(s, i32x8), f8);
  f8 row = __builtin_convertvector(__builtin_convertvector(t, i32x8), f8);
  /* The texel's index is below 2^24, so it is exact in a float; most processors multiply floats faster than integers. */
  *(loose_i32x8 *)(out->first + at) = __builtin_convertvector(row * level->stride + column, i32x8) * 16;
  if (nearest) {
    *(loose_f8 *)(out->left + at) = *covered;
    return;
  }
  f8 right = *covered * (s - column);
  *(loose_f8 *)(out->down + at) = t - row;
  *(loose_f8 *)(out->left + at) = *covered - right;
  *(loose_f8 *)(out->right + at) = right;
}

/* Loads one number for each of two pixels, and repeats it for the pixel's four components. */
VG_INLINE void broadcast_pair(f8 *out, const float *pair) {
  f2 two = *(const loose_f2 *)pair;
  *out = __builtin_shufflevector(two, two, 0, 0, 0, 0, 1, 1, 1, 1);
}

/* The left and the right texel of a pixel, each interpolated between the upper and the lower row. */
VG_INLINE void sample(f8 *out, const lookups *at, const sampler *level, int32_t i) {
  const char *texels = level->texels + (size_t)(uint32_t)at->first[i];
  f8 above = *(const loose_f8 *)texels;
  f8 below = *(const loose_f8 *)(texels + level->below);
  *out = above + (below - above) * at->down[i];
}

/* The color of a pair of pixels in one mip level, times their coverage. */
VG_INLINE void sample_pair(f8 *out, const lookups *at, const sampler *level, int32_t i, int nearest) {
  f8 left, right, first, second;
  broadcast_pair(&left, at->left + i);
  if (nearest) {
    f4 one = *(const loose_f4 *)(level->texels + (size_t)(uint32_t)at->first[i]);
    f4 other = *(const loose_f4 *)(level->texels + (size_t)(uint32_t)at->first[i + 1]);
    *out = __builtin_shufflevector(one, other, 0, 1, 2, 3, 4, 5, 6, 7) * left;
    return;
  }
  broadcast_pair(&right, at->right + i);
  sample(&first, at, level, i);
  sample(&second, at, level, i + 1);
  *out = __builtin_shufflevector(first, second, 0, 1, 2, 3, 8, 9, 10, 11) * left +
         __builtin_shufflevector(first, second, 4, 5, 6, 7, 12, 13, 14, 15) * right;
}

/* What all rows of a sprite share; fields without a comment are those of `vg_sprite`. */
typedef struct sprite_constants {
  sampler finer, coarser;
  f8 color;                  /* red, green, blue, alpha, for two pixels */
  int32_t x;                 /* the pixel that the center is in */
  float x_part, cosine, sine, half_width, half_height, most_across, most_down, step, blend;
} sprite_constants;

/* Appends `count` pixels (even) of a row to the run. `x`: column of the first; `tile_offset`: index of its first float in
   the tile. `from`…`to` - 1: the columns that the sprite may cover; others complete a pair, with coverage 0. `dy`: the
   row's distance from the sprite's center in pixels, downwards. */
VG_INLINE void add_row(pixel_run *out, const sprite_constants *constants, int32_t x, int32_t count, int32_t from,
                       int32_t to, int32_t tile_offset, float dy, int kind) {
  const i32x8 ramp = {0, 1, 2, 3, 4, 5, 6, 7};
  const float to_middle = 0.5f - constants->x_part; /* from the center of the sprite to that of its pixel */
  const float row_u = dy * constants->sine, row_v = dy * constants->cosine;
  for (int32_t i = 0; i < count; i += 8) {
    int32_t at = out->count + i;
    i32x8 column = ramp + (x + i);
    i32x8 inside = (column >= from) & (column < to);
    f8 dx = __builtin_convertvector(column - constants->x, f8) + to_middle;
    f8 covered;
    *(loose_i32x8 *)(out->tile_offset + at) = ramp * 4 + (tile_offset + 4 * i);
    if (kind == VG_SOFT) {
      /* vg_light_profile for eight pixels; step is 1 / radius^2 */
      f8 near = 1 - (dx * dx + dy * dy) * constants->step;
      near = MAX(near, (f8)0);
      f8 squared = near * near;
      covered = LIGHT_PROFILE(squared);
      *(loose_f8 *)(out->finer.left + at) = inside ? covered : (f8)0;
      continue;
    }
    f8 u = dx * constants->cosine + row_u;
    f8 v = row_v - dx * constants->sine;
    f8 cover_u = constants->half_width - __builtin_elementwise_abs(u);
    f8 cover_v = constants->half_height - __builtin_elementwise_abs(v);
    cover_u = MIN(cover_u, (f8)constants->most_across);
    cover_v = MIN(cover_v, (f8)constants->most_down);
    covered = MAX(cover_u, (f8)0) * MAX(cover_v, (f8)0);
    covered = inside ? covered : (f8)0;
    if (kind == VG_TRILINEAR) {
      f8 farther = covered * constants->blend;
      covered = covered - farther;
      find_texels(&out->coarser, at, &constants->coarser, &u, &v, &farther, 0);
    }
    find_texels(&out->finer, at, &constants->finer, &u, &v, &covered, kind == VG_NEAREST);
  }
  out->count += count;
}

/* Draws a run and empties it. `is_additive`: into `light`; otherwise source-over, into `base`. `has_light`: the tile has
   light, which a source-over sprite attenuates. */
VG_INLINE void draw_run(pixel_run *run, const sprite_constants *constants, float *base, float *light, int kind,
                        int is_additive, int has_light) {
  const f8 color = constants->color;
  const int32_t count = run->count;
  for (int32_t i = 0; i < count; i += 2) {
    f8 source;
    if (kind == VG_SOFT) {
      broadcast_pair(&source, run->finer.left + i);
    } else {
      sample_pair(&source, &run->finer, &constants->finer, i, kind == VG_NEAREST);
      if (kind == VG_TRILINEAR) {
        f8 other;
        sample_pair(&other, &run->coarser, &constants->coarser, i, 0);
        source = source + other;
      }
    }
    source = source * color;
    size_t tile_offset = (size_t)(uint32_t)run->tile_offset[i];
    if (is_additive) {
      loose_f8 *destination = (loose_f8 *)(light + tile_offset);
      *destination = *destination + source;
    } else {
      f8 rest = 1 - __builtin_shufflevector(source, source, 3, 3, 3, 3, 7, 7, 7, 7);
      loose_f8 *destination = (loose_f8 *)(base + tile_offset);
      *destination = source + *destination * rest;
      if (has_light) {
        destination = (loose_f8 *)(light + tile_offset);
        *destination = *destination * rest;
      }
    }
  }
  run->count = 0;
}

/* The distance along a row, in pixels, over which u (or v) grows by 1, where `slope` is its growth per pixel. Returns 0
   for a strip |u| ≤ half that is almost parallel to rows and therefore does not limit them. */
VG_INLINE float inverse_slope(float slope) { return slope < 1e-4f && slope > -1e-4f ? 0 : 1 / slope; }

/* Intersects `first`…`last`, in pixels from the sprite's center, for eight rows, with the strip |u| ≤ half. At x pixels
   from the center, u is `at` + x / `inverse`. */
VG_INLINE void clip_to_strip(f8 *first, f8 *last, const f8 *at, float inverse, float half) {
  if (inverse == 0) return;
  f8 a = (-half - *at) * inverse, b = (half - *at) * inverse;
  f8 low = MIN(a, b), high = MAX(a, b);
  *first = MAX(*first, low);
  *last = MIN(*last, high);
}

/* For each of eight x, in pixels from the sprite's center: the first pixel whose center lies to the right of it. At the
   left end of a span that is the first covered pixel, at the right end the first uncovered one. */
VG_INLINE void find_pixels_beyond(int32_t *pixels, const f8 *dx, const vg_sprite *s) {
  f8 column = *dx + (s->x_part - 0.5f);
  column = MAX(column, (f8)-0x1p24f);
  column = MIN(column, (f8)0x1p24f);
  i32x8 whole = __builtin_convertvector(column, i32x8);
  whole += __builtin_convertvector(whole, f8) > column; /* -1 where it was rounded up */
  *(i32x8 *)pixels = whole + (s->x + 1);
}

/* The pixels `lefts`…`rights` - 1 that a sprite may touch in eight rows. The spans are 0.01 pixels too wide on each
   side, so that a rounding error leaves no pixel out; a pixel too many gets coverage 0. */
VG_INLINE void find_spans(int32_t *lefts, int32_t *rights, const vg_sprite *s, const f8 *dy, float per_cosine,
                          float per_sine) {
  f8 square = s->reach * s->reach - *dy * *dy;
  f8 chord = __builtin_elementwise_sqrt(MAX(square, (f8)0));
  f8 first = -chord - 0.01f, last = chord + 0.01f;
  if (s->kind != VG_SOFT) {
    f8 u = *dy * s->sine, v = -(*dy * s->cosine);
    clip_to_strip(&first, &last, &u, per_cosine, s->half_width + 0.01f);
    clip_to_strip(&first, &last, &v, per_sine, s->half_height + 0.01f);
  }
  find_pixels_beyond(lefts, &first, s);
  find_pixels_beyond(rights, &last, s);
}

VG_INLINE void draw_sprite(const vg_tile *tile, const vg_sprite *s, const vg_mip_level *levels, int kind,
                           int is_additive, int has_light) {
  int32_t top = MAX(s->top, tile->top), bottom = MIN(s->bottom, tile->bottom);
  int32_t left = MAX(s->left, tile->left), right = MIN(s->right, tile->right);
  if (left >= right) return;
  sprite_constants constants = {
    .color = {s->red, s->green, s->blue, s->alpha, s->red, s->green, s->blue, s->alpha}, .x = s->x, .x_part = s->x_part,
    .cosine = s->cosine, .sine = s->sine, .half_width = s->half_width, .half_height = s->half_height,
    .most_across = s->most_across, .most_down = s->most_down, .step = s->step, .blend = s->blend};
  if (kind != VG_SOFT) make_sampler(&constants.finer, levels + s->level, s->step);
  if (kind == VG_TRILINEAR) make_sampler(&constants.coarser, levels + s->level + 1, s->step);
  const i32x8 ramp = {0, 1, 2, 3, 4, 5, 6, 7};
  const float to_middle = 0.5f - s->y_part; /* from the center of the sprite to that of its pixel */
  const float per_cosine = inverse_slope(s->cosine), per_sine = inverse_slope(s->sine);
  pixel_run run;
  run.count = 0;
  for (int32_t row = top; row < bottom; row += 8) {
    f8 dys = __builtin_convertvector(ramp + (row - s->y), f8) + to_middle;
    int32_t lefts[8] __attribute__((aligned(32))), rights[8] __attribute__((aligned(32)));
    find_spans(lefts, rights, s, &dys, per_cosine, per_sine);
    int32_t count = MIN(bottom - row, 8);
    for (int32_t i = 0; i < count; i++) {
      int32_t from = MAX(lefts[i], left), to = MIN(rights[i], right);
      float dy = (float)(row + i - s->y) + to_middle;
      int32_t start = (row + i - tile->top) * tile->stride - tile->left;
      if (from >= to) continue;
      for (int32_t x = from - ((from - tile->left) & 1); x < to; x += RUN) {
        int32_t length = MIN(to - x + ((to - x) & 1), RUN);
        if (run.count + length > RUN)
          draw_run(&run, &constants, tile->base, tile->light, kind, is_additive, has_light);
        add_row(&run, &constants, x, length, from, to, (start + x) * 4, dy, kind);
      }
    }
  }
  draw_run(&run, &constants, tile->base, tile->light, kind, is_additive, has_light);
}

VG_INLINE void clear(const vg_tile *tile, float *pixels, const f4 *color) {
  size_t count = (size_t)(tile->bottom - tile->top) * (size_t)tile->stride;
  for (size_t i = 0; i < count; i++) *(f4 *)(pixels + 4 * i) = *color;
}

/* Draws sprite `s` with constant arguments, so that each combination is compiled for itself. */
#define DRAW(kind)                                                                                                     \
  (s->adds ? draw_sprite(tile, s, levels, kind, 1, 0)                                                                  \
           : tile->touched & VG_TOUCHED_LIGHT ? draw_sprite(tile, s, levels, kind, 0, 1)                               \
                                              : draw_sprite(tile, s, levels, kind, 0, 0))

VG_KERNEL void vg_draw(vg_tile *tile, const vg_entry *entries, size_t count, const vg_sprite *sprites,
                       const vg_mip_level *levels) {
  tile->touched = 0;
  for (size_t i = 0; i < count; i++) {
    if (entries[i].left >= tile->right || entries[i].right <= tile->left) continue;
    const vg_sprite *s = sprites + entries[i].sprite;
    if (s->top >= tile->bottom || s->bottom <= tile->top) continue;
    int bit = s->adds ? VG_TOUCHED_LIGHT : VG_TOUCHED_BASE;
    if (!(tile->touched & bit)) {
      f4 nothing = {0, 0, 0, 0};
      f4 background = {tile->background[0], tile->background[1], tile->background[2], tile->background[3]};
      clear(tile, s->adds ? tile->light : tile->base, s->adds ? &nothing : &background);
      tile->touched |= bit;
    }
    switch (s->kind) {
    case VG_NEAREST: DRAW(VG_NEAREST); break;
    case VG_BILINEAR: DRAW(VG_BILINEAR); break;
    case VG_TRILINEAR: DRAW(VG_TRILINEAR); break;
    default: DRAW(VG_SOFT); break;
    }
  }
}

VG_KERNEL float vg_light_profile(float square) {
  float inside = 1 - square;
  inside = MAX(inside, 0);
  float squared = inside * inside;
  return LIGHT_PROFILE(squared);
}
