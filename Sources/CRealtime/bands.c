#include <string.h>
#include "bounded.h"
#include "clones.h"

typedef double lanes __attribute__((ext_vector_type(VG_SIDE_BY_SIDE)));

/* Transposed direct form II, one band in each SIMD lane. As b = gain × (1, 0, −1), s1 has no term of the input. Lanes
   are independent, so the order of operations is the same on every processor. */
VG_KERNEL void vg_filter_bands(vg_bands_state *state, const vg_bands *bands, const float *samples, uint32_t count) {
  lanes gain[VG_BAND_SECTIONS], a1[VG_BAND_SECTIONS], a2[VG_BAND_SECTIONS];
  lanes s1[VG_BAND_SECTIONS], s2[VG_BAND_SECTIONS], squares;
  /* memcpy, because the structs are not aligned to vectors. */
  memcpy(gain, bands->gain, sizeof gain);
  memcpy(a1, bands->a1, sizeof a1);
  memcpy(a2, bands->a2, sizeof a2);
  memcpy(s1, state->s1, sizeof s1);
  memcpy(s2, state->s2, sizeof s2);
  memcpy(&squares, state->squares, sizeof squares);
  for (uint32_t i = 0; i < count; i++) {
    lanes x = vg_bounded(samples[i]);
#pragma clang loop unroll(full)
    for (int section = 0; section < VG_BAND_SECTIONS; section++) {
      const lanes in = gain[section] * x, out = in + s1[section];
      s1[section] = s2[section] - a1[section] * out;
      s2[section] = -in - a2[section] * out;
      x = out;
    }
    squares += x * x;
  }
  memcpy(state->s1, s1, sizeof s1);
  memcpy(state->s2, s2, sizeof s2);
  memcpy(state->squares, &squares, sizeof squares);
}

VG_REALTIME double vg_take_band(vg_bands_state *state, uint32_t band) {
  const double squares = state->squares[band];
  state->squares[band] = 0;
  return squares;
}
