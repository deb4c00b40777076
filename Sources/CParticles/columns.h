#pragma once
#include "../CRealtime/clones.h"
#include "CParticles.h"

#define VG_INLINE static inline __attribute__((always_inline))

VG_INLINE float *column(const vg_particles *all, size_t number) {
  return __builtin_assume_aligned(all->columns + number * all->stride, 64);
}
VG_INLINE float at_least(float x, float least) { return x > least ? x : least; }
/* How much of its life a particle has behind it, 0…1. */
VG_INLINE float lived(float age, float life) {
  float part = life > 0 ? age / life : 1;
  return part < 1 ? part : 1;
}
VG_INLINE float within(float x, float low, float high) {
  float y = x > low ? x : low;
  return y < high ? y : high;
}
