#pragma once
#include "vectors.h"

/* Ordered dithering: the 8 × 8 Bayer matrix as thresholds (rank + 0.5) / 64 of an 8-bit step. Their mean is exactly
   0.5. They stay 1/128 away from 0 and 1, so rounding errors do not change a color that is a whole number of steps. */
VG_INLINE float threshold(uint32_t x, uint32_t y) {
  uint32_t d = x ^ y;
  uint32_t rank = ((d & 1) << 5) | ((y & 1) << 4) | ((d & 2) << 2) | ((y & 2) << 1) | ((d & 4) >> 1) | ((y & 4) >> 2);
  return ((float)(int32_t)rank + 0.5f) * 0x1p-6f;
}

/* The thresholds for eight pixels of each of eight rows from (`left`, `top`) on; those of alpha are 0. */
VG_INLINE void fill_thresholds(float thresholds[8][32], uint32_t left, uint32_t top) {
  for (uint32_t row = 0; row < 8; row++) {
    for (uint32_t i = 0; i < 32; i++) thresholds[row][i] = i % 4 == 3 ? 0 : threshold(left + i / 4, top + row);
  }
}
