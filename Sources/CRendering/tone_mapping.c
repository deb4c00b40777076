#include "pixels.h"

/* Ordered dithering: the 8 × 8 Bayer matrix as thresholds (rank + 0.5) / 64 of an 8-bit step. Their mean is exactly
   0.5. All lie far enough from 0 and 1 that a color which is a whole number of steps keeps it in spite of rounding
   errors. */
VG_INLINE float threshold(uint32_t x, uint32_t y) {
  uint32_t d = x ^ y;
  uint32_t rank = ((d & 1) << 5) | ((y & 1) << 4) | ((d & 2) << 2) | ((y & 2) << 1) | ((d & 4) >> 1) | ((y & 4) >> 2);
  return ((float)(int32_t)rank + 0.5f) * 0x1p-6f;
}

/* Desaturates a color component toward white. `ratio`: the component divided by the largest one, 0…1. `whiter`: 0 keeps
   it, 1 gives white. Larger components rise first, so orange passes through warm yellow and not through pink. */
VG_INLINE float whitened(float ratio, float whiter) {
  float missing = 1 - ratio;
  return ratio + whiter * missing * (ratio + missing * whiter);
}

/* Tone-maps a row of a tile to bytes. `base`: premultiplied source-over layer, at most 1. `light`: additive layer.

   The sum of both is unchanged up to `start`, the knee or the largest component of the base if that is more. Above it,
   with headroom = 1 - start and x = (sum - start) / headroom, it becomes start + headroom * (1 - (1 + x / 2)^-2), a
   curve that begins with slope 1 and tends to 1. All three components are scaled by the factor of the largest one,
   which keeps the hue; only light far beyond the knee turns white. */
VG_INLINE void map_row(uint8_t *restrict out, const float *restrict base, const float *restrict light, uint32_t left,
                       uint32_t y, size_t count, const vg_tone_mapping *tone, int soft, int opaque, int has_base,
                       int has_light) {
  const float knee = tone->knee, white = tone->white * tone->white;
#pragma clang loop vectorize(enable) interleave(disable)
  for (size_t i = 0; i < count; i++) {
    size_t b = has_base ? 4 * i : 0, l = has_light ? 4 * i : 0;
    float red = base[b], green = base[b + 1], blue = base[b + 2], alpha = base[b + 3];
    float base_max = MAX(red, green);
    base_max = MAX(base_max, blue);
    red += light[l];
    green += light[l + 1];
    blue += light[l + 2];
    alpha += light[l + 3];
    if (soft) {
      float max = MAX(red, green);
      max = MAX(max, blue);
      float start = MAX(base_max, knee);
      float headroom = 1 - start;
      headroom = MAX(headroom, 0.0f);
      float excess = max - start;
      excess = MAX(excess, 0.0f);
      float square = excess * excess;
      float rest = headroom / (headroom + 0.5f * excess + 1e-30f); /* 1 / (1 + x / 2) */
      float mapped = MIN(max, start) + headroom * (1 - rest * rest);
      float inverse_max = 1 / (max + 1e-30f), whiter = square / (square + white);
      float new_red = whitened(red * inverse_max, whiter) * mapped;
      float new_green = whitened(green * inverse_max, whiter) * mapped;
      float new_blue = whitened(blue * inverse_max, whiter) * mapped;
      /* A component never falls below the base, whatever the hue of the light that is added. */
      red = excess > 0 ? MAX(new_red, base[b]) : red;
      green = excess > 0 ? MAX(new_green, base[b + 1]) : green;
      blue = excess > 0 ? MAX(new_blue, base[b + 2]) : blue;
    }
    float level = threshold(left + (uint32_t)i, y);
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
    out[4 * i] = (uint8_t)(int32_t)(red * 255 + level);
    out[4 * i + 1] = (uint8_t)(int32_t)(green * 255 + level);
    out[4 * i + 2] = (uint8_t)(int32_t)(blue * 255 + level);
    out[4 * i + 3] = opaque ? 255 : (uint8_t)(int32_t)(coverage * 255 + level);
  }
}

/* Eight pixels of a row, four components each: the width of the Bayer matrix. */
typedef float pixels8 __attribute__((ext_vector_type(32)));
typedef int32_t steps8 __attribute__((ext_vector_type(32)));
typedef uint8_t bytes8 __attribute__((ext_vector_type(32), aligned(1)));
typedef pixels8 __attribute__((aligned(4))) loose_pixels;

/* Sets all eight pixels to `one`. */
VG_INLINE void broadcast(pixels8 *out, const f4 *one) {
  *out = __builtin_shufflevector(*one, *one, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3,
                                 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3);
}

/* Loads `count` ≤ 8 pixels and clears the others. If `is_row` is 0, `pixels` is a single pixel, which all eight
   become. */
VG_INLINE void load_pixels(pixels8 *out, const float *pixels, size_t count, int is_row) {
  if (!is_row) {
    const f4 one = *(const loose_f4 *)pixels;
    broadcast(out, &one);
  } else if (count == 8) {
    *out = *(const loose_pixels *)pixels;
  } else {
    *out = 0;
    __builtin_memcpy(out, pixels, 16 * count);
  }
}

/* The thresholds for eight pixels of each of eight rows from (`left`, `top`) on; those of alpha are 0. */
VG_INLINE void fill_thresholds(float levels[8][32], uint32_t left, uint32_t top) {
  for (uint32_t row = 0; row < 8; row++) {
    for (uint32_t i = 0; i < 32; i++) levels[row][i] = i % 4 == 3 ? 0 : threshold(left + i / 4, top + row);
  }
}

/* Fast path for an opaque background, which most of a picture takes: the bytes of `map_row` without compression.
   Returns nonzero when a component exceeds the knee; the caller then overwrites the pixels by `map_row`. */
VG_INLINE int map_row_fast(uint8_t *restrict out, const float *restrict base, const float *restrict light, const float *levels,
                           size_t count, float knee, int has_base, int has_light) {
  pixels8 knees, solid;
  broadcast(&knees, &(f4){knee, knee, knee, __builtin_inff()});
  broadcast(&solid, &(f4){0, 0, 0, 255});
  const steps8 alphas = __builtin_convertvector(solid, steps8);
  steps8 beyond = 0;
  for (size_t i = 0; i < count; i += 8) {
    const size_t taken = MIN(count - i, 8);
    pixels8 color, lit;
    load_pixels(&color, base + (has_base ? 4 * i : 0), taken, has_base);
    if (has_light) {
      load_pixels(&lit, light + 4 * i, taken, 1);
      color += lit;
      /* Where no light was added, the base stays as it is, however bright. */
      beyond |= (color > knees) & (lit > 0);
    }
    color = MIN(color, (pixels8)1);
    steps8 steps = __builtin_convertvector(color * 255 + *(const loose_pixels *)levels, steps8) | alphas;
    bytes8 bytes = __builtin_convertvector(steps, bytes8);
    if (taken == 8) {
      *(bytes8 *)(out + 4 * i) = bytes;
    } else {
      __builtin_memcpy(out + 4 * i, &bytes, 4 * taken);
    }
  }
  return has_light && __builtin_reduce_or(beyond) != 0;
}

/* Pixels for which the fast path is tried together; a multiple of eight. */
enum { GROUP = 32 };

VG_KERNEL void vg_map_tones(const vg_tile *tile, const vg_tone_mapping *tone, uint8_t *out, size_t stride) {
  const float nothing[4] = {0, 0, 0, 0};
  const size_t count = (size_t)(tile->right - tile->left);
  const uint32_t left = (uint32_t)tile->left;
  const int has_base = tile->touched & 1, has_light = tile->touched & 2, soft = tone->knee < 1 && has_light;
  const float knee = soft ? tone->knee : __builtin_inff();
  float levels[8][32];
  fill_thresholds(levels, left, (uint32_t)tile->top);
  for (uint32_t y = (uint32_t)tile->top; y < (uint32_t)tile->bottom; y++) {
    uint8_t *row = out + (size_t)y * stride + 4 * (size_t)left;
    size_t start = 4 * (size_t)(y - (uint32_t)tile->top) * (size_t)tile->stride;
    const float *line = levels[(y - (uint32_t)tile->top) % 8];
    for (size_t first = 0; first < count; first += GROUP) {
      const size_t length = MIN(count - first, GROUP);
      const float *base = has_base ? tile->base + start + 4 * first : tile->background;
      const float *light = has_light ? tile->light + start + 4 * first : nothing;
      uint8_t *pixels = row + 4 * first;
      const uint32_t x = left + (uint32_t)first;
#define MAP(soft, opaque, has_base, has_light)                                                                      \
  map_row(pixels, base, light, x, y, length, tone, soft, opaque, has_base, has_light)
#define MAP_FAST(has_base, has_light) map_row_fast(pixels, base, light, line, length, knee, has_base, has_light)
      /* Bits: 1 base, 2 light (`touched`), 4 opaque, 8 soft. Each case passes constants, so that the inlined row is
         compiled for it alone. `soft` implies light, so the default is 15. */
      switch ((soft ? 8 : 0) | (tone->opaque ? 4 : 0) | tile->touched) {
      case 0: MAP(0, 0, 0, 0); break;
      case 1: MAP(0, 0, 1, 0); break;
      case 2: MAP(0, 0, 0, 1); break;
      case 3: MAP(0, 0, 1, 1); break;
      case 4: MAP_FAST(0, 0); break;
      case 5: MAP_FAST(1, 0); break;
      case 6: MAP_FAST(0, 1); break;
      case 7: MAP_FAST(1, 1); break;
      case 10: MAP(1, 0, 0, 1); break;
      case 11: MAP(1, 0, 1, 1); break;
      case 14:
        if (MAP_FAST(0, 1)) MAP(1, 1, 0, 1);
        break;
      default:
        if (MAP_FAST(1, 1)) MAP(1, 1, 1, 1);
        break;
      }
    }
  }
}
