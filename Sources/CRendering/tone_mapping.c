#include "pixels.h"

/* Bayer's matrix of 8 × 8 as parts of a step: the mean is exactly a half, and none is so near 0 or 1 that a color
   which is a whole number of steps could change. */
VG_PART float threshold(uint32_t x, uint32_t y) {
  uint32_t d = x ^ y;
  uint32_t rank = ((d & 1) << 5) | ((y & 1) << 4) | ((d & 2) << 2) | ((y & 2) << 1) | ((d & 4) >> 1) | ((y & 4) >> 2);
  return ((float)(int32_t)rank + 0.5f) * 0x1p-6f;
}

/* A color as a part of the brightest one, as light turns white: the larger ones fill first, so orange passes through
   warm yellow and not through pink. */
VG_PART float whitened(float part, float whiter) {
  float missing = 1 - part;
  return part + whiter * missing * (part + missing * whiter);
}

/* A row of a tile: light is laid upon the base and bent below 1.

   What is covered needs no bending, it is 1 at most. Light fills the room above it: exact up to the knee, or up to the
   base's brightest color where that is more, and then along 1 - 1 / (1 + x / 2)^2, which leaves at slope 1 and ends
   at 1.
   All three colors are scaled by what the brightest is, which keeps the hue; only light far beyond the knee turns
   white. */
VG_PART void expose_row(uint8_t *restrict out, const float *restrict base, const float *restrict light, uint32_t left,
                        uint32_t y, size_t count, const vg_tone_mapping *tone, int soft, int opaque, int has_base,
                        int has_light) {
  const float knee = tone->knee, white = tone->white * tone->white;
#pragma clang loop vectorize(enable) interleave(disable)
  for (size_t i = 0; i < count; i++) {
    size_t b = has_base ? 4 * i : 0, l = has_light ? 4 * i : 0;
    float red = base[b], green = base[b + 1], blue = base[b + 2], alpha = base[b + 3];
    float most = MORE(red, green);
    most = MORE(most, blue);
    red += light[l];
    green += light[l + 1];
    blue += light[l + 2];
    alpha += light[l + 3];
    if (soft) {
      float bright = MORE(red, green);
      bright = MORE(bright, blue);
      float from = MORE(most, knee);
      float room = 1 - from;
      room = MORE(room, 0.0f);
      float beyond = bright - from;
      beyond = MORE(beyond, 0.0f);
      float square = beyond * beyond;
      float rest = room / (room + 0.5f * beyond + 1e-30f);
      float bent = LESS(bright, from) + room * (1 - rest * rest);
      float part = 1 / (bright + 1e-30f), whiter = square / (square + white);
      float new_red = whitened(red * part, whiter) * bent;
      float new_green = whitened(green * part, whiter) * bent;
      float new_blue = whitened(blue * part, whiter) * bent;
      /* light of another hue takes nothing away from what was there */
      red = beyond > 0 ? MORE(new_red, base[b]) : red;
      green = beyond > 0 ? MORE(new_green, base[b + 1]) : green;
      blue = beyond > 0 ? MORE(new_blue, base[b + 2]) : blue;
    }
    float level = threshold(left + (uint32_t)i, y);
    float solid = LESS(alpha, 1.0f);
    if (!opaque) {
      float part = 1 / (solid + 1e-30f);
      red *= part;
      green *= part;
      blue *= part;
    }
    red = LESS(red, 1.0f);
    green = LESS(green, 1.0f);
    blue = LESS(blue, 1.0f);
    out[4 * i] = (uint8_t)(int32_t)(red * 255 + level);
    out[4 * i + 1] = (uint8_t)(int32_t)(green * 255 + level);
    out[4 * i + 2] = (uint8_t)(int32_t)(blue * 255 + level);
    out[4 * i + 3] = opaque ? 255 : (uint8_t)(int32_t)(solid * 255 + level);
  }
}

/* Eight pixels of a row, four numbers each: as many as the matrix of thresholds is wide. */
typedef float pixels8 __attribute__((ext_vector_type(32)));
typedef int32_t steps8 __attribute__((ext_vector_type(32)));
typedef uint8_t bytes8 __attribute__((ext_vector_type(32), aligned(1)));
typedef pixels8 __attribute__((aligned(4))) loose_pixels;

/* The same for each of eight pixels. */
VG_PART void repeat(pixels8 *out, const f4 *one) {
  *out = __builtin_shufflevector(*one, *one, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3,
                                 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3);
}

/* Up to eight pixels that are there, or one in place of all. */
VG_PART void take_pixels(pixels8 *out, const float *pixels, size_t count, int there) {
  if (!there) {
    const f4 one = *(const loose_f4 *)pixels;
    repeat(out, &one);
  } else if (count == 8) {
    *out = *(const loose_pixels *)pixels;
  } else {
    *out = 0;
    __builtin_memcpy(out, pixels, 16 * count);
  }
}

/* What is added to eight pixels of each of eight rows, the first of them at `left` and `top`; nothing to their alpha. */
VG_PART void take_thresholds(float levels[8][32], uint32_t left, uint32_t top) {
  for (uint32_t row = 0; row < 8; row++) {
    for (uint32_t i = 0; i < 32; i++) levels[row][i] = i % 4 == 3 ? 0 : threshold(left + i / 4, top + row);
  }
}

/* The same bytes as `expose_row` gives where the background is solid and nothing is bent, which is most of a picture. Says
   whether a color lies beyond the knee, so that these pixels are to be bent. */
VG_PART int lay_row(uint8_t *restrict out, const float *restrict base, const float *restrict light, const float *levels,
                    size_t count, float knee, int has_base, int has_light) {
  pixels8 knees, solid;
  repeat(&knees, &(f4){knee, knee, knee, __builtin_inff()});
  repeat(&solid, &(f4){0, 0, 0, 255});
  const steps8 alphas = __builtin_convertvector(solid, steps8);
  steps8 beyond = 0;
  for (size_t i = 0; i < count; i += 8) {
    const size_t taken = LESS(count - i, 8);
    pixels8 color, lit;
    take_pixels(&color, base + (has_base ? 4 * i : 0), taken, has_base);
    if (has_light) {
      take_pixels(&lit, light + 4 * i, taken, 1);
      color += lit;
      /* what is bright without any light stays as it is */
      beyond |= (color > knees) & (lit > 0);
    }
    color = LESS(color, (pixels8)1);
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

/* Pixels that are bent together, or not at all; a multiple of eight. */
enum { GROUP = 32 };

VG_KERNEL void vg_map_tones(const vg_tile *tile, const vg_tone_mapping *tone, uint8_t *out, size_t stride) {
  const float nothing[4] = {0, 0, 0, 0};
  const size_t count = (size_t)(tile->right - tile->left);
  const uint32_t left = (uint32_t)tile->left;
  const int has_base = tile->touched & 1, has_light = tile->touched & 2, soft = tone->knee < 1 && has_light;
  const float knee = soft ? tone->knee : __builtin_inff();
  float levels[8][32];
  take_thresholds(levels, left, (uint32_t)tile->top);
  for (uint32_t y = (uint32_t)tile->top; y < (uint32_t)tile->bottom; y++) {
    uint8_t *row = out + (size_t)y * stride + 4 * (size_t)left;
    size_t start = 4 * (size_t)(y - (uint32_t)tile->top) * (size_t)tile->stride;
    const float *line = levels[(y - (uint32_t)tile->top) % 8];
    for (size_t first = 0; first < count; first += GROUP) {
      const size_t length = LESS(count - first, GROUP);
      const float *base = has_base ? tile->base + start + 4 * first : tile->background;
      const float *light = has_light ? tile->light + start + 4 * first : nothing;
      uint8_t *pixels = row + 4 * first;
      const uint32_t x = left + (uint32_t)first;
#define EXPOSE(soft, opaque, has_base, has_light)                                                                      \
  expose_row(pixels, base, light, x, y, length, tone, soft, opaque, has_base, has_light)
#define LAY(has_base, has_light) lay_row(pixels, base, light, line, length, knee, has_base, has_light)
      switch ((soft ? 8 : 0) | (tone->opaque ? 4 : 0) | tile->touched) {
      case 0: EXPOSE(0, 0, 0, 0); break;
      case 1: EXPOSE(0, 0, 1, 0); break;
      case 2: EXPOSE(0, 0, 0, 1); break;
      case 3: EXPOSE(0, 0, 1, 1); break;
      case 4: LAY(0, 0); break;
      case 5: LAY(1, 0); break;
      case 6: LAY(0, 1); break;
      case 7: LAY(1, 1); break;
      case 10: EXPOSE(1, 0, 0, 1); break;
      case 11: EXPOSE(1, 0, 1, 1); break;
      case 14:
        if (LAY(0, 1)) EXPOSE(1, 1, 0, 1);
        break;
      default:
        if (LAY(1, 1)) EXPOSE(1, 1, 1, 1);
        break;
      }
    }
  }
}
