#include "include/dither.h"
#include "vectors.h"

/* The thresholds for eight pixels of each of eight rows from (`left`, `top`) on; those of alpha are 0. */
VG_INLINE void fill_thresholds(float thresholds[8][32], uint32_t left, uint32_t top) {
  for (uint32_t row = 0; row < 8; row++) {
    for (uint32_t i = 0; i < 32; i++)
      thresholds[row][i] = i % 4 == 3 ? 0 : vg_dither_threshold(left + i / 4, top + row);
  }
}

/* Desaturates a color component toward white. `ratio`: the component divided by the largest one, 0…1. `whiteness`: 0
   keeps it, 1 gives white. A larger component approaches 1 faster, so orange passes through warm yellow and not through
   pink. */
VG_INLINE float whitened(float ratio, float whiteness) {
  float missing = 1 - ratio;
  return ratio + whiteness * missing * (ratio + missing * whiteness);
}

/* Tone-maps a row of a tile to bytes. `base`: premultiplied source-over layer, at most 1. `light`: additive layer.
   `soft`: compresses above the knee. `opaque`: writes alpha 255, otherwise straight alpha.

   The sum of both is unchanged up to `start`, the larger of the knee and the largest component of the base. Above it,
   with headroom = 1 - start and x = excess / headroom, where excess = largest - start, the largest component becomes
   start + headroom * (1 - (1 + x / 2)^-2), a curve that begins with slope 1 and tends to 1. The other two are scaled by
   the same factor, which keeps the hue; only light far beyond the knee turns white. */
VG_INLINE void map_row(uint8_t *restrict out, const float *restrict base, const float *restrict light, uint32_t left,
                       uint32_t y, size_t count, const vg_tone_mapping *tone, int soft, int opaque, int has_base,
                       int has_light) {
  const float knee = tone->knee, white_squared = tone->white * tone->white;
#pragma clang loop vectorize(enable) interleave(disable)
  for (size_t i = 0; i < count; i++) {
    size_t b = has_base ? 4 * i : 0, l = has_light ? 4 * i : 0;
    float red = base[b], green = base[b + 1], blue = base[b + 2], alpha = base[b + 3];
    float base_max = MAX(red, green);
    base_max = MAX(base_max, blue);
    red += light[l];
    green += light[l + 1];
    blue += light[l + 2];
    alpha += light[l + 3]; /* light counts as coverage: it shows on a transparent background, too */
    if (soft) {
      float largest = MAX(red, green);
      largest = MAX(largest, blue);
      float start = MAX(base_max, knee);
      float headroom = 1 - start;
      headroom = MAX(headroom, 0.0f);
      float excess = largest - start;
      excess = MAX(excess, 0.0f);
      float excess_squared = excess * excess;
      float rest = headroom / (headroom + 0.5f * excess + 1e-30f); /* 1 / (1 + x / 2) */
      float mapped = MIN(largest, start) + headroom * (1 - rest * rest);
      float inverse_largest = 1 / (largest + 1e-30f), whiteness = excess_squared / (excess_squared + white_squared);
      float new_red = whitened(red * inverse_largest, whiteness) * mapped;
      float new_green = whitened(green * inverse_largest, whiteness) * mapped;
      float new_blue = whitened(blue * inverse_largest, whiteness) * mapped;
      /* A component never falls below the base, whatever the hue of the light that is added. */
      red = excess > 0 ? MAX(new_red, base[b]) : red;
      green = excess > 0 ? MAX(new_green, base[b + 1]) : green;
      blue = excess > 0 ? MAX(new_blue, base[b + 2]) : blue;
    }
    float dither = vg_dither_threshold(left + (uint32_t)i, y);
    float coverage = MIN(alpha, 1.0f);
    if (!opaque) { /* straight alpha */
      float inverse_alpha = 1 / (coverage + 1e-30f);
      red *= inverse_alpha;
      green *= inverse_alpha;
      blue *= inverse_alpha;
    }
    red = MIN(red, 1.0f);
    green = MIN(green, 1.0f);
    blue = MIN(blue, 1.0f);
    out[4 * i] = (uint8_t)(int32_t)(red * 255 + dither);
    out[4 * i + 1] = (uint8_t)(int32_t)(green * 255 + dither);
    out[4 * i + 2] = (uint8_t)(int32_t)(blue * 255 + dither);
    out[4 * i + 3] = opaque ? 255 : (uint8_t)(int32_t)(coverage * 255 + dither);
  }
}

/* Eight pixels of a row, four components each: the width of the Bayer matrix. */
typedef float pixels8 __attribute__((ext_vector_type(32)));
typedef int32_t steps8 __attribute__((ext_vector_type(32)));
typedef uint8_t bytes8 __attribute__((ext_vector_type(32), aligned(1)));
typedef pixels8 __attribute__((aligned(4))) loose_pixels8;

/* Sets all eight pixels to `one`. */
VG_INLINE void broadcast(pixels8 *out, const f4 *one) {
  *out = __builtin_shufflevector(*one, *one, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3,
                                 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3);
}

/* Loads `count` ≤ 8 pixels and clears the others. If `is_row` is 0, repeats the one pixel at `pixels` eight times. */
VG_INLINE void load_pixels(pixels8 *out, const float *pixels, size_t count, int is_row) {
  if (!is_row) {
    const f4 one = *(const loose_f4 *)pixels;
    broadcast(out, &one);
  } else if (count == 8) {
    *out = *(const loose_pixels8 *)pixels;
  } else {
    *out = 0;
    __builtin_memcpy(out, pixels, 16 * count);
  }
}

/* Fast path for an opaque background without compression, which most of a picture takes: writes the bytes that `map_row`
   would. Returns nonzero when a component exceeds the knee where light was added; the caller then overwrites the pixels
   by `map_row`. */
VG_INLINE int map_row_fast(uint8_t *restrict out, const float *restrict base, const float *restrict light,
                           const float *thresholds, size_t count, float knee, int has_base, int has_light) {
  pixels8 knees, opaque_alpha;
  broadcast(&knees, &(f4){knee, knee, knee, __builtin_inff()});
  /* A bitwise or with it makes alpha 255, whatever its value 0…255. */
  broadcast(&opaque_alpha, &(f4){0, 0, 0, 255});
  const steps8 alphas = __builtin_convertvector(opaque_alpha, steps8);
  steps8 over_knee = 0;
  for (size_t i = 0; i < count; i += 8) {
    const size_t valid = MIN(count - i, 8);
    pixels8 color, added;
    load_pixels(&color, base + (has_base ? 4 * i : 0), valid, has_base);
    if (has_light) {
      load_pixels(&added, light + 4 * i, valid, 1);
      color += added;
      /* Where no light was added, the base stays as it is, however bright. */
      over_knee |= (color > knees) & (added > 0);
    }
    color = MIN(color, (pixels8)1);
    steps8 steps = __builtin_convertvector(color * 255 + *(const loose_pixels8 *)thresholds, steps8) | alphas;
    bytes8 bytes = __builtin_convertvector(steps, bytes8);
    if (valid == 8) {
      *(bytes8 *)(out + 4 * i) = bytes;
    } else {
      __builtin_memcpy(out + 4 * i, &bytes, 4 * valid);
    }
  }
  return has_light && __builtin_reduce_or(over_knee) != 0;
}

/* Pixels for which the fast path is tried together; a multiple of eight. */
enum { GROUP = 32 };

/* What a group of pixels is mapped from, and how. */
enum { BASE = VG_TOUCHED_BASE, LIGHT = VG_TOUCHED_LIGHT, OPAQUE = 4, SOFT = 8 };

/* Calls with constants, so that the inlined row is compiled for each combination alone. */
#define MAP(how)                                                                                                     \
  map_row(pixels, base, light, x, y, length, tone, (how) & SOFT, (how) & OPAQUE, (how) & BASE, (how) & LIGHT)
#define MAP_FAST(how)                                                                                                \
  map_row_fast(pixels, base, light, threshold_row, length, knee, (how) & BASE, (how) & LIGHT)

VG_KERNEL void vg_map_tones(const vg_tile *tile, const vg_tone_mapping *tone, uint8_t *out, size_t stride) {
  const float nothing[4] = {0, 0, 0, 0};
  const size_t count = (size_t)(tile->right - tile->left);
  const uint32_t left = (uint32_t)tile->left;
  const int has_base = tile->touched & BASE, has_light = tile->touched & LIGHT, soft = tone->knee < 1 && has_light;
  const float knee = soft ? tone->knee : __builtin_inff();
  float thresholds[8][32];
  fill_thresholds(thresholds, left, (uint32_t)tile->top);
  for (uint32_t y = (uint32_t)tile->top; y < (uint32_t)tile->bottom; y++) {
    uint8_t *row = out + (size_t)y * stride + 4 * (size_t)left;
    size_t start = 4 * (size_t)(y - (uint32_t)tile->top) * (size_t)tile->stride;
    const float *threshold_row = thresholds[(y - (uint32_t)tile->top) % 8];
    for (size_t first = 0; first < count; first += GROUP) {
      const size_t length = MIN(count - first, GROUP);
      const float *base = has_base ? tile->base + start + 4 * first : tile->background;
      const float *light = has_light ? tile->light + start + 4 * first : nothing;
      uint8_t *pixels = row + 4 * first;
      const uint32_t x = left + (uint32_t)first;
      switch ((soft ? SOFT : 0) | (tone->opaque ? OPAQUE : 0) | tile->touched) {
      case 0: MAP(0); break;
      case BASE: MAP(BASE); break;
      case LIGHT: MAP(LIGHT); break;
      case BASE | LIGHT: MAP(BASE | LIGHT); break;
      case OPAQUE: MAP_FAST(OPAQUE); break;
      case OPAQUE | BASE: MAP_FAST(OPAQUE | BASE); break;
      case OPAQUE | LIGHT: MAP_FAST(OPAQUE | LIGHT); break;
      case OPAQUE | BASE | LIGHT: MAP_FAST(OPAQUE | BASE | LIGHT); break;
      case SOFT | LIGHT: MAP(SOFT | LIGHT); break;
      case SOFT | BASE | LIGHT: MAP(SOFT | BASE | LIGHT); break;
      case SOFT | OPAQUE | LIGHT:
        if (MAP_FAST(LIGHT)) MAP(SOFT | OPAQUE | LIGHT);
        break;
      case SOFT | OPAQUE | BASE | LIGHT:
        if (MAP_FAST(BASE | LIGHT)) MAP(SOFT | OPAQUE | BASE | LIGHT);
        break;
      default: __builtin_unreachable(); /* `soft` implies light */
      }
    }
  }
}
