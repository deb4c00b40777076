#pragma once
#include <stddef.h>
#include <stdint.h>
#include "cycle.h"
#include "effects.h"

#pragma clang assume_nonnull begin

/* The kernels of the audio callback. None reassociates or contracts, so that all clones, builds and cuts of a signal
   give the same bytes. Buffers may stand at any offset; outputs never overlap inputs unless said. */

enum { VG_LANES = 32 };
/* Magnitudes are clamped to 2^40 before they are squared: the sum of a frame stays finite. */
#define VG_CLAMP 0x1p40f

/* Sums of squares in 32 lanes; sample i of a frame belongs to lane i mod 32. The lanes stand twice in a row from place
   `first` on, lane i at every place that is i mod 32, so that a run may begin at any lane with plain loads. Begins and
   is cleared as all zero. A whole number of cache lines, so that in an array none is shared. */
typedef struct vg_lanes {
  float lane[3 * VG_LANES];
  float peak;
  uint32_t first;              /* the first lane of the last run, 0…31 */
  uint32_t unused[14];
} vg_lanes;

/* Adds `count` samples that begin at position `position` of the frame. Returns how many were not finite and counted
   as 0. */
VG_REALTIME uint32_t vg_meter(vg_lanes *lanes, const float *samples, uint32_t count, uint32_t position);
/* The sum of squares of the frame: the lanes added in double, in order. Clears the lanes and the peak. */
VG_REALTIME double vg_meter_finish(vg_lanes *lanes, float *peak);
/* One-pole mean square: mean += (x² − mean) × keep, sample by sample; the largest magnitude goes to *peak. */
VG_REALTIME uint32_t vg_mean_square(double *mean, float *peak, const float *samples, uint32_t count, double rate);

VG_REALTIME void vg_clear(float *out, size_t count);
VG_REALTIME void vg_copy(float *out, const float *in, size_t count);
VG_REALTIME void vg_add(float *inout, const float *in, size_t count);
VG_REALTIME void vg_scale(float *out, const float *in, float factor, size_t count);
VG_REALTIME void vg_add_scaled(float *inout, const float *in, float factor, size_t count);
/* out[i] = in[i] × factor × (from + (to − from) × (position + i + 1) / length): a function of the place in the frame. */
VG_REALTIME void vg_ramp(float *out, const float *in, float factor, float from, float to, uint32_t position,
                         uint32_t length, size_t count);
/* All channels of a gain: channel c by vg_scale with to[c], or by vg_ramp with factor 1 where from[c] differs. */
VG_REALTIME void vg_gain(const vg_cycle *cycle, const vg_io *io, const float *from, const float *to);
/* How many samples are not finite. */
VG_REALTIME uint32_t vg_count_not_finite(const float *in, size_t count);
/* Copies; what is not finite becomes 0. */
VG_REALTIME void vg_copy_finite(float *out, const float *in, size_t count);

/* Second order section, transposed direct form II, coefficients divided by a0. */
typedef struct vg_section {
  double b0, b1, b2, a1, a2;
} vg_section;
typedef struct vg_section_state {
  double s1, s2;
} vg_section_state;
/* What is not finite counts as 0, and magnitudes are clamped, so the state of a stable section stays finite. */
VG_REALTIME void vg_filter(vg_section_state *state, const vg_section *section, float *out, const float *in,
                           size_t count);

#pragma clang assume_nonnull end
