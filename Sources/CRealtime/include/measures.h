#pragma once
#include <stddef.h>
#include <stdint.h>
#include "effects.h"

#pragma clang assume_nonnull begin

/* Kernels that only measure. All states begin as all zero; what is not finite counts as 0, and magnitudes are clamped to
   2^40. None gives anything that depends on where a cycle ends. */

/* A program meter: a peak program meter, two capacitors that charge towards |x| at rates of their own and discharge
   together; or a volume indicator, the mean of |x| through a needle with mass and damping. */
typedef enum vg_program_meter_kind { VG_PEAK_PROGRAM_METER, VG_VOLUME_INDICATOR } vg_program_meter_kind;
typedef struct vg_program_meter_law {
  vg_program_meter_kind kind;
  /* Of a peak program meter. */
  double charge[2];            /* how much of the way to |x| a sample goes, where |x| is higher */
  double weight[2];            /* how much of each is read; so much that a sine of 1 kHz reads its amplitude */
  double keep;                 /* what is left after a sample's discharge */
  /* Of a volume indicator. */
  double spring, damping;      /* ω²T and 2ζωT for a sample of T seconds */
  double step;                 /* T */
  double scale;                /* π/2: a sine reads its amplitude */
} vg_program_meter_law;
typedef struct vg_program_meter_state {
  double memory[2];            /* the charges; or the needle's place and speed */
  double top;                  /* the highest reading since it was taken */
} vg_program_meter_state;
/* *peak becomes the largest |x|, if that is more. */
VG_REALTIME void vg_program_meter(vg_program_meter_state *state, const vg_program_meter_law *law, const float *samples,
                                  uint32_t count, float *peak);
/* The same for two channels, to the bit, in little more time than for one. */
VG_REALTIME void vg_program_meter_pair(vg_program_meter_state *states, const vg_program_meter_law *law,
                                       const float *first, const float *second, uint32_t count, float *peaks);

/* What two channels have in common: sums of left², right² and left × right. */
typedef struct vg_products {
  double left, right, both;
} vg_products;
VG_REALTIME void vg_add_products(vg_products *sums, const float *left, const float *right, uint32_t count);

/* Two second-order filters in a row (ITU-R BS.1770): a shelf, then a high-pass, each b0 b1 b2 a1 a2. */
typedef struct vg_weighting {
  double shelf[5], high[5];
} vg_weighting;
typedef struct vg_weighting_state {
  double shelf[2], high[2];
} vg_weighting_state;
/* Weighs, and adds the squares to *energy. */
VG_REALTIME void vg_weigh(vg_weighting_state *state, const vg_weighting *filter, const float *samples, uint32_t count,
                          double *energy);

/* The signal between the samples, at four times the rate, by a filter of 12 taps for each of the three places. */
enum { VG_TAPS = 12 };
typedef struct vg_interpolation {
  float tap[3][VG_TAPS];       /* the newest sample first */
} vg_interpolation;
typedef struct vg_true_peak_state {
  float before[VG_TAPS];       /* the samples before, the oldest first */
  float top;                   /* the largest magnitude since it was taken, of samples and between them */
} vg_true_peak_state;
VG_REALTIME void vg_true_peak(vg_true_peak_state *state, const vg_interpolation *filter, const float *samples,
                              uint32_t count);

/* Band-passes side by side, eight at a time: four second-order sections each, b = gain × (1, 0, −1). */
enum { VG_SECTIONS = 4, VG_SIDE_BY_SIDE = 8 };
typedef struct vg_bands {
  double gain[VG_SECTIONS][VG_SIDE_BY_SIDE], a1[VG_SECTIONS][VG_SIDE_BY_SIDE], a2[VG_SECTIONS][VG_SIDE_BY_SIDE];
} vg_bands;
typedef struct vg_bands_state {
  double s1[VG_SECTIONS][VG_SIDE_BY_SIDE], s2[VG_SECTIONS][VG_SIDE_BY_SIDE];
  double squares[VG_SIDE_BY_SIDE]; /* summed since they were taken */
} vg_bands_state;
VG_REALTIME void vg_filter_bands(vg_bands_state *state, const vg_bands *bands, const float *samples, uint32_t count);
/* The squares of a band, 0…7, which begin anew. */
VG_REALTIME double vg_take_band(vg_bands_state *state, uint32_t band);

/* A real Fourier transform of `length` samples, a power of two from 64 on. */
typedef struct vg_fourier {
  int64_t length;
  const float *window;         /* by sample */
  const float *twiddles;       /* 2 × length; for each pass of n points, from length / 2 down by four, the first, second and
                                  third power of n / 4 parts of a turn, real and then imaginary; at last the cosines and
                                  the sines of length / 2 parts of half a turn */
  float *work;                 /* 2 × length */
  float scale;                 /* on the powers */
} vg_fourier;
/* The powers of the bins from 0 Hz to half the rate, length / 2 + 1; a bin and its twin are one. Magnitudes of samples are
   clamped to 2^20. */
VG_REALTIME void vg_power_spectrum(const vg_fourier *fourier, const float *samples, float *powers);
/* The sum of values × weights; the same bytes on every processor. */
VG_REALTIME double vg_weighted_sum(const float *values, const float *weights, int64_t count);

#pragma clang assume_nonnull end
