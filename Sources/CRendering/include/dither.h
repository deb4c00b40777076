#pragma once
#include <stdint.h>

/* Ordered dithering: the 8 × 8 Bayer matrix as thresholds (rank + 0.5) / 64 of an 8-bit step. Their mean is exactly
   0.5. They stay 1/128 away from 0 and 1, so rounding errors do not change a color that is a whole number of steps. */
static inline float vg_dither_threshold(uint32_t x, uint32_t y) {
  uint32_t d = x ^ y;
  uint32_t rank = ((d & 1) << 5) | ((y & 1) << 4) | ((d & 2) << 2) | ((y & 2) << 1) | ((d & 4) >> 1) | ((y & 4) >> 2);
  return ((float)(int32_t)rank + 0.5f) * 0x1p-6f;
}
