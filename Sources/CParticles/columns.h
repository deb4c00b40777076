#pragma once
#include "../CRealtime/clones.h"
#include "CParticles.h"

#define VG_INLINE static inline __attribute__((always_inline))

VG_INLINE float *column(const vg_particles *all, size_t number) {
  return __builtin_assume_aligned(all->columns + number * all->stride, 64);
}
VG_INLINE float at_least(float x, float least) { return x > least ? x : least; }
VG_INLINE float within(float x, float low, float high) {
  float y = x > low ? x : low;
  return y < high ? y : high;
}
