#pragma once
#include "columns.h"

/* sin(2π t) for t in [−1/4, 1/4]: odd Taylor polynomial to t^11, 6e-8 short of 1 at the top. */
VG_INLINE float quarter_sine(float t) {
  float x = t * 6.28318530717958648f;
  float s = x * x;
  float p = -2.5052108385e-8f;
  p = p * s + 2.7557319224e-6f;
  p = p * s - 1.9841269841e-4f;
  p = p * s + 8.3333333333e-3f;
  p = p * s - 1.6666666667e-1f;
  return x + x * (s * p);
}
/* Back into −½…½, from −1…1. */
VG_INLINE float one_turn(float t) {
  float low = t >= 0.5f ? t - 1 : t;
  return low < -0.5f ? low + 1 : low;
}
/* Of −½…½. The quarters fall on exact numbers: straight up has no part across. */
VG_INLINE float cosine(float t) { return quarter_sine(0.25f - __builtin_fabsf(t)); }
VG_INLINE float sine(float t) {
  float high = t > 0.25f ? 0.5f - t : t;
  return quarter_sine(high < -0.25f ? -0.5f - high : high);
}
