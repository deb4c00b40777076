#pragma once
#include <stddef.h>
#include <stdint.h>
#include "cycle.h"
#include "effects.h"

#pragma clang assume_nonnull begin

/* The kernels of the audio callback. The compiler may not reassociate or contract their floating-point operations, so
   all clones and builds give the same bytes, wherever a signal is cut into cycles. Buffers need no alignment. Outputs
   do not overlap inputs unless stated. */

enum { VG_LANES = 32 };
/* Magnitudes are clamped to 2^40 before they are squared, so the sum of a frame stays finite. */
#define VG_CLAMP 0x1p40f

/* Sums of squares in 32 lanes; sample i of a frame belongs to lane i mod 32. A run is one call of vg_meter. `lane[p]`
   is lane p mod 32. From `first` on there are two copies of all lanes, so that the next run loads them with one
   unaligned load, at whatever lane it begins. Zero at the beginning and after vg_meter_finish. The size is a multiple
   of a cache line, so that elements of an array share none. */
typedef struct vg_lanes {
  float lane[3 * VG_LANES];
  float peak;                  /* largest magnitude of the frame */
  uint32_t first;              /* the first lane of the last run, 0…31 */
  uint32_t unused[14];
} vg_lanes;

/* Adds `count` samples that begin at `position` of the frame. Returns how many were not finite; these count as 0. */
VG_REALTIME uint32_t vg_meter(vg_lanes *lanes, const float *samples, uint32_t count, uint32_t position);
/* Returns the sum of squares of the frame: the lanes added in double, in order. Clears the lanes and the peak. */
VG_REALTIME double vg_meter_finish(vg_lanes *lanes, float *peak);
/* One-pole mean square: mean += (x² − mean) × rate for each sample. Raises *peak to the largest magnitude.
   Returns how many samples were not finite; these count as 0. */
VG_REALTIME uint32_t vg_mean_square(double *mean, float *peak, const float *samples, uint32_t count, double rate);

VG_REALTIME void vg_clear(float *out, size_t count);
VG_REALTIME void vg_copy(float *out, const float *in, size_t count);
VG_REALTIME void vg_add(float *inout, const float *in, size_t count);
VG_REALTIME void vg_scale(float *out, const float *in, float factor, size_t count);
VG_REALTIME void vg_add_scaled(float *inout, const float *in, float factor, size_t count);
/* A gain ramp over a frame of `length` samples: out[i] = in[i] × factor × (from + (to − from) × (position + i + 1) /
   length). `position`: the place of in[0] in the frame. */
VG_REALTIME void vg_ramp(float *out, const float *in, float factor, float from, float to, uint32_t position,
                         uint32_t length, size_t count);
/* Applies gains to all channels: to channel c vg_scale with to[c], or vg_ramp with factor 1 where from[c] differs. */
VG_REALTIME void vg_gain(const vg_cycle *cycle, const vg_io *io, const float *from, const float *to);
/* Counts the samples that are not finite. */
VG_REALTIME uint32_t vg_count_not_finite(const float *in, size_t count);
/* Copies; samples that are not finite become 0. */
VG_REALTIME void vg_copy_finite(float *out, const float *in, size_t count);

/* A state-variable filter of second order: two integrators by the trapezoidal rule (Zavalishin, The Art of VA Filter
   Design; Simper, Solving the continuous SVF equations), with the response of the bilinear transform. The state of the
   integrators does not depend on the coefficients, so these may change while the filter runs. */
typedef struct vg_filter_parts {
  double input, band, low;     /* output gains of the input, the band-pass (0 dB at the cutoff) and the low-pass */
} vg_filter_parts;
/* The coefficients that a frame is to reach. */
typedef struct vg_filter_goal {
  double g, corner;            /* tan(pi × cutoff / rate), and its logarithm to base 2 */
  double k, damping;           /* 1 / q, and its logarithm to base 2 */
  vg_filter_parts parts;
} vg_filter_goal;
/* The state of a filter; all zero at the beginning. */
typedef struct vg_filter_state {
  double s1, s2;                            /* the integrators */
  double g, corner, k, damping;             /* the coefficients now */
  double corner_step, damping_step;         /* their change towards the goal, in octaves per sample */
  vg_filter_parts from, to;                 /* the output gains at the beginning and at the end of the frame */
  uint32_t is_running;
} vg_filter_state;
/* Begins a frame of `length` samples. The filter reaches changed coefficients at the end of the frame. At a very low
   cutoff or a very high q it takes longer, because its stored energy has to decay first. */
VG_REALTIME void vg_filter_begin(vg_filter_state *state, const vg_filter_goal *goal, uint32_t length);
/* Filters `count` samples from `position` of the frame on. Samples that are not finite count as 0, others are clamped
   to ±2^40, so the state stays finite. */
VG_REALTIME void vg_filter(vg_filter_state *state, const vg_filter_goal *goal, float *out, const float *in,
                           uint32_t position, uint32_t length, size_t count);

#pragma clang assume_nonnull end
