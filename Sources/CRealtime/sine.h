#pragma once

/* sin(x) with x = 2π t, for t in [−1/4, 1/4], by the Taylor polynomial to x^11. `c11` is the coefficient of x^11.
   Taylor's −1/11! gives 1 − 6e-8 at t = 1/4; a caller that needs exactly 1 there passes an adjusted coefficient. */
static inline __attribute__((always_inline)) float vg_quarter_sine(float t, float c11) {
  float x = t * 6.28318530717958648f;
  float s = x * x;
  float p = c11;
  p = p * s + 2.7557319224e-6f; /* 1/9! */
  p = p * s - 1.9841269841e-4f; /* 1/7! */
  p = p * s + 8.3333333333e-3f; /* 1/5! */
  p = p * s - 1.6666666667e-1f; /* 1/3! */
  return x + x * (s * p);
}
