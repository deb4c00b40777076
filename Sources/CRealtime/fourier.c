#include "CRealtime.h"
#include "clones.h"

#define INLINE static inline __attribute__((always_inline))

/* A radix-4 Stockham FFT, whose output is in order without a permutation. A pass turns `stride` interleaved transforms
   of 4 × `quarter` points into 4 × `stride` interleaved transforms of `quarter` points. Real and imaginary parts are in
   separate arrays. */

/* One radix-4 butterfly of a pass, for `count` interleaved transforms. Input: four points, `distance` floats from each
   other. Output: the four arrays yr0, yi0…yr3, yi3. `twiddle`: three complex factors, each real, imaginary. */
INLINE void butterflies(const float *restrict xr, const float *restrict xi, int64_t distance, float *restrict yr0,
                        float *restrict yi0, float *restrict yr1, float *restrict yi1, float *restrict yr2,
                        float *restrict yi2, float *restrict yr3, float *restrict yi3, const float twiddle[6], int64_t count) {
  for (int64_t q = 0; q < count; q++) {
    const float ar = xr[q] + xr[q + 2 * distance], ai = xi[q] + xi[q + 2 * distance];
    const float br = xr[q] - xr[q + 2 * distance], bi = xi[q] - xi[q + 2 * distance];
    const float cr = xr[q + distance] + xr[q + 3 * distance], ci = xi[q + distance] + xi[q + 3 * distance];
    const float dr = xr[q + distance] - xr[q + 3 * distance], di = xi[q + distance] - xi[q + 3 * distance];
    const float ur = br + di, ui = bi - dr, vr = ar - cr, vi = ai - ci, wr = br - di, wi = bi + dr;
    yr0[q] = ar + cr;
    yi0[q] = ai + ci;
    yr1[q] = twiddle[0] * ur - twiddle[1] * ui;
    yi1[q] = twiddle[0] * ui + twiddle[1] * ur;
    yr2[q] = twiddle[2] * vr - twiddle[3] * vi;
    yi2[q] = twiddle[2] * vi + twiddle[3] * vr;
    yr3[q] = twiddle[4] * wr - twiddle[5] * wi;
    yi3[q] = twiddle[4] * wi + twiddle[5] * wr;
  }
}

/* The first pass, with stride 1: each butterfly has twiddle factors of its own. */
INLINE void first_pass(const float *restrict xr, const float *restrict xi, float *restrict yr, float *restrict yi,
                       const float *restrict twiddle, int64_t quarter) {
  for (int64_t p = 0; p < quarter; p++) {
    const float own[6] = {twiddle[p],
                          twiddle[p + quarter],
                          twiddle[p + 2 * quarter],
                          twiddle[p + 3 * quarter],
                          twiddle[p + 4 * quarter],
                          twiddle[p + 5 * quarter]};
    float *re = yr + 4 * p, *im = yi + 4 * p;
    butterflies(xr + p, xi + p, quarter, re, im, re + 1, im + 1, re + 2, im + 2, re + 3, im + 3, own, 1);
  }
}

/* A later pass: the `stride` transforms share the twiddle factors of a butterfly. */
INLINE void pass(const float *restrict xr, const float *restrict xi, float *restrict yr, float *restrict yi,
                 const float *restrict twiddle, int64_t quarter, int64_t stride) {
  for (int64_t p = 0; p < quarter; p++) {
    const float own[6] = {twiddle[p],
                          twiddle[p + quarter],
                          twiddle[p + 2 * quarter],
                          twiddle[p + 3 * quarter],
                          twiddle[p + 4 * quarter],
                          twiddle[p + 5 * quarter]};
    float *re = yr + 4 * stride * p, *im = yi + 4 * stride * p;
    butterflies(xr + stride * p, xi + stride * p, stride * quarter, re, im, re + stride, im + stride, re + 2 * stride,
                im + 2 * stride, re + 3 * stride, im + 3 * stride, own, stride);
  }
}

/* The last pass where the number of points is not a power of four: radix 2. */
INLINE void pass_of_two(const float *restrict xr, const float *restrict xi, float *restrict yr, float *restrict yi,
                        int64_t stride) {
  for (int64_t q = 0; q < stride; q++) {
    yr[q] = xr[q] + xr[q + stride];
    yi[q] = xi[q] + xi[q + stride];
    yr[q + stride] = xr[q] - xr[q + stride];
    yi[q + stride] = xi[q] - xi[q + stride];
  }
}

/* Windows the samples. Even and odd samples become the real and imaginary parts of one complex signal, so the
   transform is half as long. */
INLINE void apply_window(const float *restrict samples, const float *restrict window, float *restrict re, float *restrict im,
                         int64_t half) {
  const float limit = 1048576;
  for (int64_t i = 0; i < half; i++) {
    float a = samples[2 * i], b = samples[2 * i + 1];
    /* NaN and infinities become 0: for them a - a is NaN. */
    const float x = a - a == 0 ? a : 0, y = b - b == 0 ? b : 0;
    a = x > limit ? limit : x < -limit ? -limit : x;
    b = y > limit ? limit : y < -limit ? -limit : y;
    re[i] = a * window[2 * i];
    im[i] = b * window[2 * i + 1];
  }
}

/* Separates the transform of the complex signal into that of the real samples, and writes the powers of bins 1 to
   half - 1. */
INLINE void write_powers(const float *restrict re, const float *restrict im, const float *restrict twiddle, float *restrict powers,
                         float scale, int64_t half) {
  for (int64_t k = 1; k < half; k++) {
    const float er = re[k] + re[half - k], ei = im[k] - im[half - k];
    const float dr = im[k] + im[half - k], di = re[half - k] - re[k];
    const float xr = er + (twiddle[k] * dr + twiddle[k + half] * di), xi = ei + (twiddle[k] * di - twiddle[k + half] * dr);
    powers[k] = (xr * xr + xi * xi) * scale;
  }
}

VG_KERNEL void vg_power_spectrum(const vg_fourier *fourier, const float *samples, float *powers) {
  const int64_t half = fourier->length / 2;
  float *xr = fourier->work, *xi = xr + half, *yr = xr + 2 * half, *yi = xr + 3 * half;
  apply_window(samples, fourier->window, xr, xi, half);
  const float *twiddle = fourier->twiddles;
  int64_t points = half, stride = 1;
  for (; points >= 4; points /= 4, stride *= 4) {
    const int64_t quarter = points / 4;
    if (stride == 1) {
      first_pass(xr, xi, yr, yi, twiddle, quarter);
    } else if (stride == 4) {
      pass(xr, xi, yr, yi, twiddle, quarter, 4);
    } else {
      pass(xr, xi, yr, yi, twiddle, quarter, stride);
    }
    twiddle += 6 * quarter;
    float *const r = xr, *const i = xi;
    xr = yr;
    xi = yi;
    yr = r;
    yi = i;
  }
  if (points == 2) {
    pass_of_two(xr, xi, yr, yi, stride);
    xr = yr;
    xi = yi;
  }
  const float sum = xr[0] + xi[0], difference = xr[0] - xi[0];
  /* The first and the last bin have no negative frequency. Between them the amplitudes are doubled by the separation,
     and the power of the negative frequency is included: 4 × 0.5 = 2. */
  powers[0] = sum * sum * fourier->scale;
  powers[half] = difference * difference * fourier->scale;
  write_powers(xr, xi, twiddle, powers, 0.5f * fourier->scale, half);
}

enum { VG_OCTET = 8 };
typedef float octet __attribute__((ext_vector_type(VG_OCTET)));
typedef double double_octet __attribute__((ext_vector_type(VG_OCTET)));

/* Sums in eight SIMD lanes, and adds these in a fixed order at the end. */
VG_KERNEL double vg_weighted_sum(const float *values, const float *weights, int64_t count) {
  double_octet sums = 0;
  int64_t i = 0;
  for (; i + VG_OCTET <= count; i += VG_OCTET) {
    octet value, weight;
    __builtin_memcpy(&value, values + i, sizeof value);
    __builtin_memcpy(&weight, weights + i, sizeof weight);
    sums += __builtin_convertvector(value * weight, double_octet);
  }
  double sum = ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]));
  for (; i < count; i++) sum += (double)(values[i] * weights[i]);
  return sum;
}
