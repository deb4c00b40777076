#pragma once
#include <stddef.h>
#include <stdint.h>
#include "effects.h"

#pragma clang assume_nonnull begin

/* Kernels that only measure. Every state begins as zeros. Samples that are not finite count as 0, and magnitudes are
   clamped to 2^40 unless stated. No result depends on where a cycle ends. */

/* A program meter, of one of two kinds. A peak program meter (IEC 60268-10) is modeled by two envelope followers of
   |x|, which have different attack rates and one release rate. A volume indicator (IEC 60268-17) is modeled by a needle
   with mass and damping that |x| drives: a low-pass of second order. */
typedef enum vg_program_meter_kind { VG_PEAK_PROGRAM_METER, VG_VOLUME_INDICATOR } vg_program_meter_kind;
typedef struct vg_program_meter_law {
  vg_program_meter_kind kind;
  /* Of a peak program meter. */
  double charge[2];            /* attack of each envelope: share of the difference to |x| per sample, 0…1 */
  double weight[2];            /* reading = Σ weight × envelope; a sine of 1 kHz reads its amplitude */
  double keep;                 /* release: factor per sample, 0…1 */
  /* Of a volume indicator: ω in rad/s, ζ the damping ratio. */
  double spring, damping;      /* ω²T and 2ζωT */
  double step;                 /* T, the duration of a sample in seconds */
  double scale;                /* π/2, so that a sine reads its amplitude: its mean magnitude is 2/π of that */
} vg_program_meter_law;
typedef struct vg_program_meter_state {
  double memory[2];            /* the two envelopes; or the needle's position and its speed (1/s) */
  double top;                  /* the highest reading since the caller reset it */
} vg_program_meter_state;
/* Measures `count` samples. Raises *peak to the largest |x|. */
VG_REALTIME void vg_program_meter(vg_program_meter_state *state, const vg_program_meter_law *law, const float *samples,
                                  uint32_t count, float *peak);
/* Measures two channels in little more time than one takes. The results equal those of vg_program_meter to the bit.
   `states` and `peaks`: two each. */
VG_REALTIME void vg_program_meter_pair(vg_program_meter_state *states, const vg_program_meter_law *law,
                                       const float *first, const float *second, uint32_t count, float *peaks);

/* The sums of left², right² and left × right (`product`), from which the correlation of two channels follows. */
typedef struct vg_products {
  double left, right, product;
} vg_products;
VG_REALTIME void vg_add_products(vg_products *sums, const float *left, const float *right, uint32_t count);

/* K-weighting (ITU-R BS.1770): two second-order filters in series, a high shelf and a high-pass, each as b0 b1 b2 a1
   a2. */
typedef struct vg_weighting {
  double shelf[5], high[5];
} vg_weighting;
typedef struct vg_weighting_state {
  double shelf[2], high[2];
} vg_weighting_state;
/* Filters the samples by K-weighting and adds their squares to *energy. */
VG_REALTIME void vg_weigh(vg_weighting_state *state, const vg_weighting *filter, const float *samples, uint32_t count,
                          double *energy);

/* Interpolation to four times the rate, for true peaks (ITU-R BS.1770, annex 2): a polyphase filter of 12 taps for each
   of the three positions between two samples. The fourth phase is the sample itself. */
enum { VG_TRUE_PEAK_TAPS = 12 };
typedef struct vg_interpolation {
  float tap[3][VG_TRUE_PEAK_TAPS]; /* position × tap; the first tap belongs to the newest sample */
} vg_interpolation;
typedef struct vg_true_peak_state {
  float before[VG_TRUE_PEAK_TAPS]; /* the last samples, the oldest first */
  float top;                   /* the largest magnitude of samples and interpolated values since the caller reset it */
} vg_true_peak_state;
VG_REALTIME void vg_true_peak(vg_true_peak_state *state, const vg_interpolation *filter, const float *samples,
                              uint32_t count);

/* Eight band-passes, one in each SIMD lane. Each has four second-order sections with b = gain × (1, 0, −1) and
   a = (1, a1, a2). Arrays are section × lane. */
enum { VG_BAND_SECTIONS = 4, VG_SIDE_BY_SIDE = 8 };
typedef struct vg_bands {
  double gain[VG_BAND_SECTIONS][VG_SIDE_BY_SIDE];
  double a1[VG_BAND_SECTIONS][VG_SIDE_BY_SIDE], a2[VG_BAND_SECTIONS][VG_SIDE_BY_SIDE];
} vg_bands;
typedef struct vg_bands_state {
  double s1[VG_BAND_SECTIONS][VG_SIDE_BY_SIDE], s2[VG_BAND_SECTIONS][VG_SIDE_BY_SIDE];
  double squares[VG_SIDE_BY_SIDE]; /* sums of squares of the outputs since vg_take_band */
} vg_bands_state;
VG_REALTIME void vg_filter_bands(vg_bands_state *state, const vg_bands *bands, const float *samples, uint32_t count);
/* Returns the sum of squares of a band (lane 0…7) and sets it to 0. */
VG_REALTIME double vg_take_band(vg_bands_state *state, uint32_t band);

/* A real Fourier transform of `length` samples.

   Layout of `twiddles`, 2 × length floats. A radix-4 pass for each n = length / 2, length / 8, … while n ≥ 4; in each
   pass, for j = 1, 2, 3: the real parts of exp(−2πi j k / n) for k = 0…n / 4 − 1, then the imaginary parts. After all
   passes: cos(2π k / length) for k = 0…length / 2 − 1, then sin(2π k / length). */
typedef struct vg_fourier {
  int64_t length;              /* a power of two, at least 64 */
  const float *window;         /* `length` factors */
  const float *twiddles;
  float *work;                 /* scratch memory, 2 × length */
  float scale;                 /* factor of the powers */
} vg_fourier;
/* Writes the one-sided power spectrum: length / 2 + 1 bins from 0 Hz to half the rate, each but
   the first and the last with the power of its negative frequency included. Magnitudes of samples are clamped to 2^20.
   */
VG_REALTIME void vg_power_spectrum(const vg_fourier *fourier, const float *samples, float *powers);
/* The sum of values × weights, with the same bytes on every processor. */
VG_REALTIME double vg_weighted_sum(const float *values, const float *weights, int64_t count);

#pragma clang assume_nonnull end
