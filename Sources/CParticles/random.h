#pragma once
#include "columns.h"

/* An integer hash, in which every bit of the result depends on every bit of x: two rounds of shift and multiply, with
   the constants of least bias from the search of C. Wellons (hash prospector, 2018). It has 32 bits, so that every
   processor computes many at once. */
VG_INLINE uint32_t hashed(uint32_t x) {
  x ^= x >> 16;
  x *= 0x21f0aaadu;
  x ^= x >> 15;
  x *= 0xd35a2d97u;
  return x ^ (x >> 15);
}
/* Uniform random numbers: −1 ≤ x < 1 (uniform11) and 0 ≤ x < 1 (uniform01). They use the upper 24 bits of the hash,
   which a float holds exactly. */
VG_INLINE float uniform11(uint32_t birth, uint32_t word) {
  return (float)((int32_t)hashed(birth ^ word) >> 8) * 0x1p-23f;
}
VG_INLINE float uniform01(uint32_t birth, uint32_t word) { return (float)(int32_t)(hashed(birth ^ word) >> 8) * 0x1p-24f; }
