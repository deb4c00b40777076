#pragma once
#include "../CRealtime/clones.h"
#include "CParticles.h"

#define VG_INLINE static inline __attribute__((always_inline))

/* A column of a pool. `columns` is aligned to 64 bytes and `stride` is a multiple of 16 floats (ParticlePool). */
VG_INLINE float *column(const vg_particles *all, size_t number) {
  return __builtin_assume_aligned(all->columns + number * all->stride, 64);
}
/* The larger of both; `least` where x is NaN. */
VG_INLINE float max_of(float x, float least) { return x > least ? x : least; }
/* age / life, at most 1; 1 where life is 0. */
VG_INLINE float life_fraction(float age, float life) {
  float fraction = life > 0 ? age / life : 1;
  return fraction < 1 ? fraction : 1;
}
/* x clamped to low…high; `low` where x is NaN. */
VG_INLINE float clamp(float x, float low, float high) {
  float y = x > low ? x : low;
  return y < high ? y : high;
}
