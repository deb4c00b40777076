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

/* A second order filter: two integrators by the trapezoidal rule (Zavalishin, The Art of VA Filter Design; Simper,
   Solving the continuous SVF equations), with the response of the bilinear transform. What the integrators hold does not
   depend on the coefficients, so these may move. */
typedef struct vg_filter_parts {
  double input, band, low;     /* how much of each leaves; the band is scaled to 0 dB at the corner */
} vg_filter_parts;
typedef struct vg_filter_goal {
  double g, corner;            /* tan(pi × frequency / rate), and its logarithm to base 2 */
  double k, damping;           /* 1 / q, and its logarithm to base 2 */
  vg_filter_parts parts;
} vg_filter_goal;
/* Begins as all zero. */
typedef struct vg_filter_state {
  double s1, s2;
  double g, corner, k, damping;             /* where it stands */
  double corner_step, damping_step;         /* octaves a sample, on the way to the goal */
  vg_filter_parts from, to;                 /* at the beginning and at the end of the frame */
  uint32_t is_running;
} vg_filter_state;
/* Begins a frame of `length` samples: what has changed is reached at its end, or as soon after as the filter can forget. */
VG_REALTIME void vg_filter_begin(vg_filter_state *state, const vg_filter_goal *goal, uint32_t length);
/* Runs `count` samples from place `position` of the frame on. What is not finite counts as 0, and magnitudes are clamped,
   so the state stays finite. */
VG_REALTIME void vg_filter(vg_filter_state *state, const vg_filter_goal *goal, float *out, const float *in,
                           uint32_t position, uint32_t length, size_t count);

#pragma clang assume_nonnull end
