#include "kernels.h"
#include "clones.h"

/* Sums of squares that depend neither on where cycles end nor on the processor. Sample i of a frame is added to lane i
   mod 32, and each lane adds its samples in the order of time. A run (one call of vg_meter) loads the 32 lanes from
   that of its first sample on, so it needs no code for a partial first block. A partial last block is padded with
   zeros, which add nothing. A processor with wider registers only works on more lanes at once. */

static inline __attribute__((always_inline)) int32_t magnitude(float x) {
  int32_t bits;
  __builtin_memcpy(&bits, &x, 4);
  return bits & 0x7fffffff; /* As integers, magnitudes keep their order; NaN and infinity are above all others. */
}

/* Vectors of all 32 lanes, in as many registers as needed. They are loaded and stored by memcpy, at any address. */
typedef float floats __attribute__((ext_vector_type(VG_LANES)));
typedef int32_t integers __attribute__((ext_vector_type(VG_LANES)));

static inline __attribute__((always_inline)) void add_block(floats *sum, integers *top, const float *samples) {
  floats x;
  __builtin_memcpy(&x, samples, sizeof x);
  *top = __builtin_elementwise_max(*top, (integers)x & 0x7fffffff);
  *sum += x * x;
}

/* Adds the last `count` samples, fewer than a block, padded with zeros. Copies them in halves of constant length, as a
   memcpy of variable length would be a function call. */
static inline __attribute__((always_inline)) void add_rest(floats *sum, integers *top, const float *samples,
                                                           uint32_t count) {
  float block[VG_LANES] = {0};
  float *to = block;
#pragma clang loop unroll(full)
  for (uint32_t half = VG_LANES / 2; half; half /= 2) {
    if (!(count & half)) continue;
    __builtin_memcpy(to, samples, half * sizeof *to);
    to += half;
    samples += half;
  }
  add_block(sum, top, block);
}

/* Returns the index of the copy of lane `first` behind which the other 31 lanes follow. The last run left two copies of
   all lanes, 64 floats from its own first lane on. */
static inline __attribute__((always_inline)) uint32_t load_index(const vg_lanes *lanes, uint32_t first) {
  return first < lanes->first ? first + VG_LANES : first;
}

/* Does the work of vg_meter one sample at a time: a sample that is not finite counts as 0, one beyond ±2^40 is clamped.
   Called only if the fast path has found such a sample. */
VG_REALTIME static uint32_t meter_carefully(vg_lanes *lanes, const float *samples, uint32_t count, uint32_t position) {
  uint32_t bad = 0;
  for (uint32_t i = 0; i < count; i++) {
    int32_t m = magnitude(samples[i]);
    float x;
    __builtin_memcpy(&x, &m, 4);
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
  floats sum;
  integers top = 0;
  __builtin_memcpy(&sum, lanes->lane + load_index(lanes, first), sizeof sum);
  uint32_t i = 0;
  for (; i + VG_LANES <= count; i += VG_LANES) add_block(&sum, &top, samples + i);
  if (i < count) add_rest(&sum, &top, samples + i, count - i);
  int32_t highest = __builtin_reduce_max(top);
  if (__builtin_expect(highest > 0x53800000 /* 2^40 */, 0)) return meter_carefully(lanes, samples, count, position);
  float peak;
  __builtin_memcpy(&peak, &highest, 4);
  if (peak > lanes->peak) lanes->peak = peak;
  lanes->first = first;
  __builtin_memcpy(lanes->lane + first, &sum, sizeof sum);
  __builtin_memcpy(lanes->lane + first + VG_LANES, &sum, sizeof sum);
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
