#pragma once
#include "columns.h"

/* A number that depends on every bit of x: two rounds of shift and multiply, with the constants that the search of
   C. Wellons (hash prospector, 2018) found to leave the least bias. 32 bits, so that every processor does many at once. */
VG_INLINE uint32_t hashed(uint32_t x) {
  x ^= x >> 16;
  x *= 0x21f0aaadu;
  x ^= x >> 15;
  x *= 0xd35a2d97u;
  return x ^ (x >> 15);
}
/* The upper 24 bits only: they fit a float, so nothing is rounded. −1 ≤ x < 1, and 0 ≤ x < 1. */
VG_INLINE float either_side(uint32_t birth, uint32_t word) {
  return (float)((int32_t)hashed(birth ^ word) >> 8) * 0x1p-23f;
}
VG_INLINE float part(uint32_t birth, uint32_t word) { return (float)(int32_t)(hashed(birth ^ word) >> 8) * 0x1p-24f; }
