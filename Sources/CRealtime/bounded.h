#pragma once
#include <math.h>
#include "CRealtime.h"

/* A sample as input of a recursive (IIR) filter: NaN and infinities become 0, other values are clamped to ±2^40, so the
   filter's state stays finite. The check is made for each sample: one check per cycle would make the result depend on
   where cycles end. */
static inline __attribute__((always_inline)) double vg_bounded(float x) {
  float limited = x > VG_CLAMP ? VG_CLAMP : x < -VG_CLAMP ? -VG_CLAMP : x;
  return isfinite(x) ? (double)limited : 0;
}
