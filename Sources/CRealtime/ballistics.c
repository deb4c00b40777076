#include "bounded.h"
#include "clones.h"

/* Samples per block of magnitudes. Magnitudes do not depend on each other, so the compiler vectorizes their loop. */
enum { BLOCK = 64 };
/* Channels that are measured together. Each sample of a recursion waits for the one before; two interleaved recursions
   hide each other's latency. */
enum { CHANNELS = 2 };

/* The two envelopes of a channel, or the position and the speed of its needle. */
typedef double pair __attribute__((ext_vector_type(2)));

/* Writes the magnitudes of the samples, bounded as by vg_bounded, and raises `highest` to the bits of the largest.
   Compares bits: as integers, magnitudes have the order of floats, with infinity and NaN above all others. */
static inline __attribute__((always_inline)) void rectify(const float *samples, uint32_t count, float *magnitudes,
                                                          int32_t *highest) {
  const union { float value; int32_t bits; } most = {VG_CLAMP}, infinite = {INFINITY};
  int32_t top = *highest;
  for (uint32_t i = 0; i < count; i++) {
    int32_t bits;
    __builtin_memcpy(&bits, samples + i, sizeof bits);
    bits &= 0x7fffffff;
    bits = bits >= infinite.bits ? 0 : bits;
    bits = bits > most.bits ? most.bits : bits;
    top = bits > top ? bits : top;
    __builtin_memcpy(magnitudes + i, &bits, sizeof bits);
  }
  *highest = top;
}

/* Moves the envelopes of a peak program meter. An envelope takes the larger of two results: fallen by the release, or
   risen by the attack. Products of constants are computed before the loop, because each sample waits for the one
   before. */
static inline __attribute__((always_inline)) void move_envelopes(pair envelopes[CHANNELS], double top[CHANNELS],
                                                         const vg_program_meter_law *law, float magnitudes[CHANNELS][BLOCK],
                                                         int channels, uint32_t count) {
  const pair attack = {law->charge[0], law->charge[1]}, weight = {law->weight[0], law->weight[1]};
  const pair fall = {law->keep, law->keep}, rise = fall * (1 - attack);
  for (uint32_t i = 0; i < count; i++) {
    for (int c = 0; c < channels; c++) {
      const pair risen = rise * envelopes[c] + attack * magnitudes[c][i], fallen = fall * envelopes[c];
      envelopes[c] = risen > fallen ? risen : fallen;
      const pair read = weight * envelopes[c];
      const double reading = read[0] + read[1];
      top[c] = reading > top[c] ? reading : top[c];
    }
  }
}

/* Moves the needle of a volume indicator by the semi-implicit Euler method: first the speed, then the position by the
   new speed. The time step then neither adds energy to the oscillation nor removes it. Both equations are multiplied
   out, so that neither waits for the other. */
static inline __attribute__((always_inline)) void move_needle(pair needle[CHANNELS], double top[CHANNELS],
                                                        const vg_program_meter_law *law, float magnitudes[CHANNELS][BLOCK],
                                                        int channels, uint32_t count) {
  const double push = law->spring * law->scale, kept = 1 - law->damping, step = law->step;
  /* Coefficients of position, speed and magnitude in the next (position, speed). */
  const pair position = {1 - step * law->spring, -law->spring}, speed = {step * kept, kept};
  const pair input = {step * push, push};
  for (uint32_t i = 0; i < count; i++) {
    for (int c = 0; c < channels; c++) {
      needle[c] = position * needle[c][0] + (speed * needle[c][1] + input * magnitudes[c][i]);
      top[c] = needle[c][0] > top[c] ? needle[c][0] : top[c];
    }
  }
}

static inline __attribute__((always_inline)) void measure(vg_program_meter_state *states, const vg_program_meter_law *law,
                                                          const float *const *samples, int channels, uint32_t count,
                                                          float *peaks) {
  pair memory[CHANNELS];
  double top[CHANNELS];
  int32_t highest[CHANNELS];
  for (int c = 0; c < channels; c++) {
    memory[c] = (pair){states[c].memory[0], states[c].memory[1]};
    top[c] = states[c].top;
  }
  __builtin_memcpy(highest, peaks, (size_t)channels * sizeof *peaks);
  for (uint32_t first = 0; first < count; first += BLOCK) {
    const uint32_t taken = count - first < BLOCK ? count - first : BLOCK;
    float magnitudes[CHANNELS][BLOCK];
    for (int c = 0; c < channels; c++) rectify(samples[c] + first, taken, magnitudes[c], highest + c);
    if (law->kind == VG_PEAK_PROGRAM_METER) {
      move_envelopes(memory, top, law, magnitudes, channels, taken);
    } else {
      move_needle(memory, top, law, magnitudes, channels, taken);
    }
  }
  for (int c = 0; c < channels; c++) {
    states[c].memory[0] = memory[c][0];
    states[c].memory[1] = memory[c][1];
    states[c].top = top[c];
  }
  __builtin_memcpy(peaks, highest, (size_t)channels * sizeof *peaks);
}

VG_REALTIME void vg_program_meter(vg_program_meter_state *state, const vg_program_meter_law *law, const float *samples,
                                  uint32_t count, float *peak) {
  measure(state, law, &samples, 1, count, peak);
}

VG_REALTIME void vg_program_meter_pair(vg_program_meter_state *states, const vg_program_meter_law *law,
                                       const float *first, const float *second, uint32_t count, float *peaks) {
  const float *const samples[CHANNELS] = {first, second};
  measure(states, law, samples, CHANNELS, count, peaks);
}

/* Sums for the correlation of two channels. */
VG_REALTIME void vg_add_products(vg_products *sums, const float *left, const float *right, uint32_t count) {
  vg_products now = *sums;
  for (uint32_t i = 0; i < count; i++) {
    const double l = vg_bounded(left[i]), r = vg_bounded(right[i]);
    now.left += l * l;
    now.right += r * r;
    now.product += l * r;
  }
  *sums = now;
}
