#pragma once

/* sin(2π t) for t in [−1/4, 1/4], by the odd Taylor polynomial to t^11. `last` is the coefficient of t^11: Taylor's
   −1/11! gives 1 − 6e-8 at t = 1/4, and a caller that needs exactly 1 there passes an adjusted one. */
static inline __attribute__((always_inline)) float vg_quarter_sine(float t, float last) {
  float x = t * 6.28318530717958648f;
  float s = x * x;
  float p = last;
  p = p * s + 2.7557319224e-6f;
  p = p * s - 1.9841269841e-4f;
  p = p * s + 8.3333333333e-3f;
  p = p * s - 1.6666666667e-1f;
  return x + x * (s * p);
}
