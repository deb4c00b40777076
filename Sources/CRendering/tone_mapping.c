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

VG_KERNEL void vg_map_tones(const vg_tile *tile, const vg_tone_mapping *tone, uint8_t *out, size_t stride) {
  const float nothing[4] = {0, 0, 0, 0};
  size_t count = (size_t)(tile->right - tile->left);
  for (int32_t y = tile->top; y < tile->bottom; y++) {
    uint8_t *row = out + (size_t)y * stride + 4 * (size_t)tile->left;
    size_t start = 4 * (size_t)(y - tile->top) * (size_t)tile->stride;
    const float *base = tile->touched & 1 ? tile->base + start : tile->background;
    const float *light = tile->touched & 2 ? tile->light + start : nothing;
    uint32_t left = (uint32_t)tile->left, line = (uint32_t)y;
    int soft = tone->knee < 1 && tile->touched & 2;
#define ROW(soft, opaque, base_there, light_there)                                                                     \
  expose_row(row, base, light, left, line, count, tone, soft, opaque, base_there, light_there)
    switch ((soft ? 8 : 0) | (tone->opaque ? 4 : 0) | tile->touched) {
    case 0: ROW(0, 0, 0, 0); break;
    case 1: ROW(0, 0, 1, 0); break;
    case 2: ROW(0, 0, 0, 1); break;
    case 3: ROW(0, 0, 1, 1); break;
    case 4: ROW(0, 1, 0, 0); break;
    case 5: ROW(0, 1, 1, 0); break;
    case 6: ROW(0, 1, 0, 1); break;
    case 7: ROW(0, 1, 1, 1); break;
    case 10: ROW(1, 0, 0, 1); break;
    case 11: ROW(1, 0, 1, 1); break;
    case 14: ROW(1, 1, 0, 1); break;
    default: ROW(1, 1, 1, 1); break;
    }
  }
}
