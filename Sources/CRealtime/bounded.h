#pragma once
#include <math.h>
#include "CRealtime.h"

/* Returns a sample as input for a recursive (IIR) filter: NaN and infinities become 0, other values are clamped to
   ±VG_CLAMP, so that the filter's state stays finite. It checks each sample, not each cycle, because the result must
   not depend on where cycles end. */
static inline __attribute__((always_inline)) double vg_bounded(float x) {
  float limited = x > VG_CLAMP ? VG_CLAMP : x < -VG_CLAMP ? -VG_CLAMP : x;
  return isfinite(x) ? (double)limited : 0;
}
