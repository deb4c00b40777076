#include <string.h>
#include "clones.h"

/* Sums that must not depend on cuts nor on the processor: 32 lanes, lane = place in the frame mod 32, every lane added
   in the order of time. A run loads the 32 lanes beginning with its own first one, so whole blocks need no head; a
   last short block is padded with zeros, which add nothing. Wide processors only do more lanes at once. */

static inline __attribute__((always_inline)) int32_t magnitude(float x) {
  int32_t bits;
  memcpy(&bits, &x, 4);
  return bits & 0x7fffffff; /* as integers, magnitudes keep their order, and what is not finite stands above all */
}

static inline __attribute__((always_inline)) void add_block(float *restrict sum, int32_t *restrict top,
                                                            const float *restrict x) {
#pragma clang loop vectorize(enable) interleave(enable)
  for (int i = 0; i < VG_LANES; i++) {
    int32_t m = magnitude(x[i]);
    top[i] = m > top[i] ? m : top[i];
    sum[i] += x[i] * x[i];
  }
}

static inline __attribute__((always_inline)) void store_lanes(vg_lanes *lanes, const float *sum, uint32_t first) {
  memcpy(lanes->lane + first, sum, sizeof(float) * VG_LANES);
  memcpy(lanes->lane + first + VG_LANES, sum, sizeof(float) * VG_LANES);
  if (first) memcpy(lanes->lane, sum + VG_LANES - first, sizeof(float) * first);
}

/* The same sums, one sample at a time, with what is not finite as 0 and magnitudes clamped. Only runs when a block was
   found to need it. */
VG_REALTIME static uint32_t meter_carefully(vg_lanes *lanes, const float *samples, uint32_t count, uint32_t position) {
  uint32_t bad = 0;
  for (uint32_t i = 0; i < count; i++) {
    int32_t m = magnitude(samples[i]);
    float x;
    memcpy(&x, &m, 4);
    if (m >= 0x7f800000) {
      bad++;
      continue;
    }
    if (x > VG_CLAMP) x = VG_CLAMP;
    if (x > lanes->peak) lanes->peak = x;
    uint32_t lane = (position + i) % VG_LANES;
    float sum = lanes->lane[VG_LANES + lane] + x * x;
    lanes->lane[lane] = lanes->lane[VG_LANES + lane] = lanes->lane[2 * VG_LANES + lane] = sum;
  }
  return bad;
}

VG_KERNEL uint32_t vg_meter(vg_lanes *lanes, const float *samples, uint32_t count, uint32_t position) {
  uint32_t first = position % VG_LANES;
  float sum[VG_LANES];
  int32_t top[VG_LANES] = {0};
  memcpy(sum, lanes->lane + first, sizeof sum);
  uint32_t i = 0;
  for (; i + VG_LANES <= count; i += VG_LANES) add_block(sum, top, samples + i);
  if (i < count) {
    float tail[VG_LANES] = {0};
    for (uint32_t k = 0; i + k < count; k++) tail[k] = samples[i + k];
    add_block(sum, top, tail);
  }
  int32_t highest = 0;
  for (int k = 0; k < VG_LANES; k++) highest = top[k] > highest ? top[k] : highest;
  if (__builtin_expect(highest > 0x53800000 /* 2^40 */, 0)) return meter_carefully(lanes, samples, count, position);
  float peak;
  memcpy(&peak, &highest, 4);
  if (peak > lanes->peak) lanes->peak = peak;
  store_lanes(lanes, sum, first);
  return 0;
}

VG_REALTIME double vg_meter_finish(vg_lanes *lanes, float *peak) {
  double sum = 0;
  for (int i = 0; i < VG_LANES; i++) sum += (double)lanes->lane[VG_LANES + i];
  *peak = lanes->peak;
  __builtin_memset(lanes, 0, sizeof *lanes);
  return sum;
}

VG_REALTIME uint32_t vg_mean_square(double *mean, float *peak, const float *samples, uint32_t count, double rate) {
  double m = *mean;
  float p = *peak;
  uint32_t bad = 0;
  for (uint32_t i = 0; i < count; i++) {
    float x = __builtin_fabsf(samples[i]);
    if (!(x <= 0x1.fffffep127f)) {
      bad++;
      x = 0;
    }
    if (x > VG_CLAMP) x = VG_CLAMP;
    if (x > p) p = x;
    m += ((double)x * (double)x - m) * rate;
  }
  *mean = m;
  *peak = p;
  return bad;
}
