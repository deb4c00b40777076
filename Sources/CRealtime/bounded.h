#pragma once
#include <math.h>
#include "CRealtime.h"

/* What a recursion may hear: not a number is 0, and magnitudes end at 2^40, so that its state stays finite for ever. Looked
   at sample by sample, or the result would depend on where a cycle ends. */
static inline __attribute__((always_inline)) double vg_bounded(float x) {
  float limited = x > VG_CLAMP ? VG_CLAMP : x < -VG_CLAMP ? -VG_CLAMP : x;
  return isfinite(x) ? (double)limited : 0;
}
