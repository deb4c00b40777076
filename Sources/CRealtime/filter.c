#include <math.h>
#include <string.h>
#include "bounded.h"
#include "clones.h"

/* Returns 2^x for |x| below 1000, by argument reduction and the Taylor series of e^t. The last bit of the C library's
   exp2 differs between machines. */
static double power_of_two(double x) {
  double whole = (double)(int64_t)(x + (x < 0 ? -0.5 : 0.5));
  double t = (x - whole) * 0.69314718055994530942; /* at most 0.35: the first term left out is below 2^-57 */
  double p = 1;
  for (int n = 13; n > 0; n--) p = 1 + t / n * p;
  uint64_t bits = (uint64_t)((int64_t)whole + 1023) << 52;
  double scale;
  memcpy(&scale, &bits, 8);
  return p * scale;
}

/* Returns `from`, moved towards `goal` by at most `step`. */
static inline __attribute__((always_inline)) double step_toward(double from, double goal, double step) {
  return from < goal ? (goal - from > step ? from + step : goal) : (from - goal > step ? from - step : goal);
}

/* Moves the coefficients by one sample towards the goal, on a scale of octaves.

   The integrators store energy. If the cutoff fell, or the damping grew, faster than that energy decays, it would be
   heard as an artifact. The energy decays at a rate of w / k for a large k and of w k / 2 for a small one, where w is
   the cutoff in radians per sample and k the damping. Both movements are limited to a quarter of these rates: per
   sample, ln(cutoff) falls by at most w / (4 max(k, 1)), and ln(damping) grows by at most w k / 8. The limits act only
   at very low cutoffs and very high q. */
static void glide(vg_filter_state *state, const vg_filter_goal *goal) {
  const double angle = 2 * 1.4426950408889634 * state->g; /* w / ln 2, as w ≈ 2 g; in octaves */
  double corner = state->corner_step, damping = state->damping_step;
  const double falling = 0.25 * angle / (state->k > 1 ? state->k : 1), growing = 0.125 * angle * state->k;
  if (goal->corner < state->corner && corner > falling) corner = falling;
  if (goal->damping > state->damping && damping > growing) damping = growing;
  state->corner = step_toward(state->corner, goal->corner, corner);
  state->damping = step_toward(state->damping, goal->damping, damping);
  state->g = state->corner == goal->corner ? goal->g : power_of_two(state->corner);
  state->k = state->damping == goal->damping ? goal->k : power_of_two(state->damping);
}

VG_REALTIME void vg_filter_begin(vg_filter_state *state, const vg_filter_goal *goal, uint32_t length) {
  if (!state->is_running) {
    state->is_running = 1;
    state->g = goal->g;
    state->corner = goal->corner;
    state->k = goal->k;
    state->damping = goal->damping;
    state->to = goal->parts; /* becomes `from`: the first frame does not fade */
  }
  state->from = state->to;
  state->to = goal->parts;
  state->corner_step = fabs(goal->corner - state->corner) / length;
  state->damping_step = fabs(goal->damping - state->damping) / length;
}

/* Returns the next sample of the state-variable filter (see kernels.h). `scale`: 1 / (1 + g (g + k)). */
static inline __attribute__((always_inline)) float filter_sample(vg_filter_state *state, double x, double g, double k, double scale,
                                                                 vg_filter_parts parts) {
  double band = (state->s1 + g * (x - state->s2)) * scale;
  double low = state->s2 + g * band;
  state->s1 = 2 * band - state->s1;
  state->s2 = 2 * low - state->s2;
  return (float)(parts.input * x + parts.band * (k * band) + parts.low * low);
}

/* Interpolates the output gains linearly; t: 0…1. */
static inline __attribute__((always_inline)) vg_filter_parts interpolate(vg_filter_parts from, vg_filter_parts to, double t) {
  return (vg_filter_parts){from.input + (to.input - from.input) * t, from.band + (to.band - from.band) * t,
                           from.low + (to.low - from.low) * t};
}

VG_REALTIME void vg_filter(vg_filter_state *state, const vg_filter_goal *goal, float *out, const float *in,
                           uint32_t position, uint32_t length, size_t count) {
  vg_filter_state now = *state;
  const int fades = memcmp(&now.from, &now.to, sizeof now.to) != 0;
  size_t i = 0;
  for (; i < count && (fades || now.corner != goal->corner || now.damping != goal->damping); i++) {
    if (now.corner != goal->corner || now.damping != goal->damping) glide(&now, goal);
    double t = (double)(position + (uint32_t)i + 1) / length;
    double scale = 1 / (1 + now.g * (now.g + now.k));
    out[i] = filter_sample(&now, vg_bounded(in[i]), now.g, now.k, scale, interpolate(now.from, now.to, t));
  }
  const double g = now.g, k = now.k, scale = 1 / (1 + g * (g + k));
  for (; i < count; i++) out[i] = filter_sample(&now, vg_bounded(in[i]), g, k, scale, now.to);
  *state = now;
}
