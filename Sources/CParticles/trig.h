#pragma once
#include "columns.h"
#include "../CRealtime/sine.h"

/* sin(2π t) for t in −¼…¼. The last coefficient is smaller than Taylor's, so that t = ¼ gives exactly 1: a particle
   that moves straight to the right has its full speed. The largest error at 2,000,000 places is 1.1e-7. */
VG_INLINE float quarter_sine(float t) { return vg_quarter_sine(t, -2.45e-8f); }
/* Wraps an angle in turns from −1…1 into −½…½. */
VG_INLINE float wrap_turn(float t) {
  float low = t >= 0.5f ? t - 1 : t;
  return low < -0.5f ? low + 1 : low;
}
/* Cosine and sine of an angle in turns, −½…½. They are exact at all quarters, so straight up has no horizontal
   component. */
VG_INLINE float cosine(float t) { return quarter_sine(0.25f - __builtin_fabsf(t)); }
VG_INLINE float sine(float t) {
  float high = t > 0.25f ? 0.5f - t : t;
  return quarter_sine(high < -0.25f ? -0.5f - high : high);
}
