#pragma once
#include <stddef.h>
#include <stdint.h>
#include "cycle.h"
#include "effects.h"

#pragma clang assume_nonnull begin

/* The kernels of the audio callback. None lets the compiler reassociate or contract floating-point operations, so all
   clones and builds give the same bytes, wherever a signal is cut into cycles. Buffers need no alignment; outputs do
   not overlap inputs unless stated. */

enum { VG_LANES = 32 };
/* Magnitudes are clamped to 2^40 before they are squared, so the sum of a frame stays finite. */
#define VG_CLAMP 0x1p40f

/* Sums of squares in 32 lanes; sample i of a frame belongs to lane i mod 32. `lane[p]` belongs to lane p mod 32: from
   `first` on stand two copies of all lanes, so that a run may begin at any lane with one unaligned load. All zero at
   the beginning and when cleared. Its size is a multiple of a cache line, so that elements of an array share none. */
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
/* One-pole mean square: mean += (x² − mean) × rate for each sample. *peak becomes the largest magnitude, if that is
   more. Returns how many samples were not finite; these count as 0. */
VG_REALTIME uint32_t vg_mean_square(double *mean, float *peak, const float *samples, uint32_t count, double rate);

VG_REALTIME void vg_clear(float *out, size_t count);
VG_REALTIME void vg_copy(float *out, const float *in, size_t count);
VG_REALTIME void vg_add(float *inout, const float *in, size_t count);
VG_REALTIME void vg_scale(float *out, const float *in, float factor, size_t count);
VG_REALTIME void vg_add_scaled(float *inout, const float *in, float factor, size_t count);
/* out[i] = in[i] × factor × (from + (to − from) × (position + i + 1) / length): depends on the place in the frame
   alone. */
VG_REALTIME void vg_ramp(float *out, const float *in, float factor, float from, float to, uint32_t position,
                         uint32_t length, size_t count);
/* Gain of all channels: channel c as by vg_scale with to[c], or as by vg_ramp with factor 1 where from[c] differs. */
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
/* All zero at the beginning. */
typedef struct vg_filter_state {
  double s1, s2;                            /* the integrators */
  double g, corner, k, damping;             /* the coefficients now */
  double corner_step, damping_step;         /* their speed towards the goal, in octaves per sample */
  vg_filter_parts from, to;                 /* the output gains at the beginning and at the end of the frame */
  uint32_t is_running;
} vg_filter_state;
/* Begins a frame of `length` samples. Changed coefficients are reached at its end; at a very low cutoff or a very high
   q later, as the filter's stored energy has to decay first. */
VG_REALTIME void vg_filter_begin(vg_filter_state *state, const vg_filter_goal *goal, uint32_t length);
/* Filters `count` samples from `position` of the frame on. Samples that are not finite count as 0, others are clamped
   to ±2^40, so the state stays finite. */
VG_REALTIME void vg_filter(vg_filter_state *state, const vg_filter_goal *goal, float *out, const float *in,
                           uint32_t position, uint32_t length, size_t count);

#pragma clang assume_nonnull end
