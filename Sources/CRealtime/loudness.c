#include <string.h>
#include "bounded.h"
#include "clones.h"

/* Two second-order sections in transposed direct form II. */
VG_REALTIME void vg_weigh(vg_weighting_state *state, const vg_weighting *filter, const float *samples, uint32_t count,
                          double *energy) {
  vg_weighting_state now = *state;
  const double *const shelf = filter->shelf, *const high = filter->high;
  double sum = *energy;
  for (uint32_t i = 0; i < count; i++) {
    const double x = vg_bounded(samples[i]);
    const double y = shelf[0] * x + now.shelf[0];
    now.shelf[0] = shelf[1] * x - shelf[3] * y + now.shelf[1];
    now.shelf[1] = shelf[2] * x - shelf[4] * y;
    const double z = high[0] * y + now.high[0];
    now.high[0] = high[1] * y - high[3] * z + now.high[1];
    now.high[1] = high[2] * y - high[4] * z;
    sum += z * z;
  }
  *state = now;
  *energy = sum;
}

/* VG_PIECE: samples that are interpolated at a time; VG_WIDE: SIMD lanes. */
enum { VG_PIECE = 256, VG_WIDE = 16 };
typedef float wide __attribute__((ext_vector_type(VG_WIDE)));
typedef int32_t wide_bits __attribute__((ext_vector_type(VG_WIDE)));

/* Interpolates at one position after each of 16 samples, and raises `highest` to the magnitudes. The products are added
   in the same order for each sample, so the result does not depend on the number of lanes. `newest`: the sample of each
   lane; older samples precede it in memory. */
static inline __attribute__((always_inline)) void add_interpolated(wide_bits *highest, const float *newest,
                                                                   const float *taps) {
  wide sum = 0;
#pragma clang loop unroll(full)
  for (int k = 0; k < VG_TRUE_PEAK_TAPS; k++) {
    wide x;
    memcpy(&x, newest - k, sizeof x);
    sum += taps[k] * x;
  }
  *highest = __builtin_elementwise_max(*highest, (wide_bits)sum & 0x7fffffff);
}

/* Returns the larger of `top` and the true peak of a piece of `count` ≤ VG_PIECE samples. `work`: the VG_TRUE_PEAK_TAPS
   samples before the piece, then the piece. */
static inline __attribute__((always_inline)) float piece_peak(const float *work, const vg_interpolation *filter,
                                                              uint32_t count, float top) {
  wide_bits highest = 0;
  const float *first = work + VG_TRUE_PEAK_TAPS;
  uint32_t i = 0;
  for (; i + VG_WIDE <= count; i += VG_WIDE) {
    wide x;
    memcpy(&x, first + i, sizeof x);
    highest = __builtin_elementwise_max(highest, (wide_bits)x & 0x7fffffff);
#pragma clang loop unroll(full)
    for (int place = 0; place < 3; place++) {
      add_interpolated(&highest, first + i, filter->tap[place]);
    }
  }
  int32_t bits = __builtin_reduce_max(highest);
  float most;
  memcpy(&most, &bits, 4);
  top = most > top ? most : top;
  for (; i < count; i++) {
    float x = __builtin_fabsf(first[i]);
    top = x > top ? x : top;
    for (int place = 0; place < 3; place++) {
      float sum = 0;
      for (int k = 0; k < VG_TRUE_PEAK_TAPS; k++) sum += filter->tap[place][k] * first[(int)i - k];
      sum = __builtin_fabsf(sum);
      top = sum > top ? sum : top;
    }
  }
  return top;
}

VG_KERNEL void vg_true_peak(vg_true_peak_state *state, const vg_interpolation *filter, const float *samples,
                            uint32_t count) {
  float work[VG_TRUE_PEAK_TAPS + VG_PIECE];
  memcpy(work, state->before, sizeof state->before);
  while (count > 0) {
    const uint32_t length = count < VG_PIECE ? count : VG_PIECE;
    for (uint32_t i = 0; i < length; i++) {
      const float x = samples[i];
      const float limited = x > VG_CLAMP ? VG_CLAMP : x < -VG_CLAMP ? -VG_CLAMP : x;
      work[VG_TRUE_PEAK_TAPS + i] = x == x && x - x == 0 ? limited : 0;
    }
    state->top = piece_peak(work, filter, length, state->top);
    memmove(work, work + length, VG_TRUE_PEAK_TAPS * sizeof *work);
    samples += length;
    count -= length;
  }
  memcpy(state->before, work, sizeof state->before);
}
