#include <string.h>
#include "CRealtime.h"
#include "clones.h"
#include "sine.h"

/* The sine by Taylor's coefficients. The largest measured error, rounding included, is 1.6e-7 (-136 dB). */
static inline __attribute__((always_inline)) float quarter_sine(float t) { return vg_quarter_sine(t, -2.5052108385e-8f); }

/* Returns the sine of a phase in units of 2^-64 of a period. Folds the phase into −¼…¼ of a period, for which the
   polynomial is made: sin(2π (½ − t)) = sin(2π t). */
static inline __attribute__((always_inline)) float sine(uint64_t phase) {
  uint32_t p = (uint32_t)(phase >> 32);
  int32_t t = (int32_t)p;
  uint32_t folded = (uint32_t)0x80000000u - p;
  int32_t f = (t >= 0x40000000 || t < -0x40000000) ? (int32_t)folded : t;
  return quarter_sine((float)f * 0x1p-32f);
}
/* The phase at sample `i` of a glide: the increment grows by `step` from sample to sample. */
static inline __attribute__((always_inline)) uint64_t glide_phase(uint64_t phase, uint64_t turn, int64_t step,
                                                                  uint64_t i) {
  return phase + i * turn + i * (i + 1) / 2 * (uint64_t)step;
}

VG_KERNEL void vg_sine(float *restrict out, uint64_t phase, uint64_t turn, float level, size_t count) {
  for (size_t i = 0; i < count; i++) out[i] = level * sine(phase + (uint64_t)i * turn);
}
VG_REALTIME void vg_sine_glide(float *out, uint64_t phase, uint64_t turn, int64_t step, float level, size_t count) {
  for (size_t i = 0; i < count; i++) out[i] = level * sine(glide_phase(phase, turn, step, i));
}

VG_KERNEL void vg_impulses(float *restrict out, uint64_t phase, uint64_t turn, float level, size_t count) {
  for (size_t i = 0; i < count; i++) {
    uint64_t p = phase + (uint64_t)i * turn;
    out[i] = p < turn ? level : 0; /* the first sample of each period */
  }
}
VG_REALTIME void vg_impulses_glide(float *out, uint64_t phase, uint64_t turn, int64_t step, float level, size_t count) {
  for (size_t i = 0; i < count; i++) {
    out[i] = glide_phase(phase, turn, step, i) < turn + (uint64_t)i * (uint64_t)step ? level : 0;
  }
}

/* A hash (Steele, Lea, Flood 2014). The hashes of a counter are white noise. */
static inline __attribute__((always_inline)) uint64_t splitmix64(uint64_t x) {
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}
static inline __attribute__((always_inline)) float white(uint64_t seed, uint64_t index) {
  return (float)(int32_t)(splitmix64(index ^ seed) >> 32) * 0x1p-31f;
}

VG_KERNEL void vg_white(float *restrict out, int64_t sample, uint64_t seed, float level, size_t count) {
  for (size_t i = 0; i < count; i++) out[i] = level * white(seed, (uint64_t)sample + i);
}

/* Pink noise by Voss's algorithm: the mean of sixteen rows of white noise, of which row k changes every 2^k samples.
   Each row is a function of the sample's place on the timeline, so there is no state. The mean never exceeds
   `level`. */
VG_KERNEL void vg_pink(float *restrict out, int64_t sample, uint64_t seed, float level, size_t count) {
  for (size_t i = 0; i < count; i++) {
    uint64_t n = (uint64_t)sample + i;
    float sum = 0;
    for (int k = 0; k < 16; k++) sum += white(seed + (uint64_t)k * 0xd1b54a32d192ed03ull, n >> k);
    out[i] = level * (sum * 0.0625f);
  }
}
