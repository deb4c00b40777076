#include <math.h>
#include <string.h>
#include "bounded.h"
#include "clones.h"

/* 2^x for |x| below 1000. Our own: what a library gives differs from machine to machine in its last bit. */
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

static inline __attribute__((always_inline)) double toward(double from, double goal, double step) {
  return from < goal ? (goal - from > step ? from + step : goal) : (from - goal > step ? from - step : goal);
}

/* A sample's part of the way to the goal, in octaves. What the integrators hold must have gone before it could be heard
   as something that never was: so the corner falls, and damping grows, by a quarter of what the filter forgets meanwhile
   at most (2 w / k of what was stored, and w k / 2 of what rings). Neither holds anything up but at the lowest corners and
   the highest q. */
static void glide(vg_filter_state *state, const vg_filter_goal *goal) {
  const double angle = 2 * 1.4426950408889634 * state->g; /* of a sample at the corner, over ln 2 */
  double corner = state->corner_step, damping = state->damping_step;
  const double falling = 0.25 * angle / (state->k > 1 ? state->k : 1), growing = 0.125 * angle * state->k;
  if (goal->corner < state->corner && corner > falling) corner = falling;
  if (goal->damping > state->damping && damping > growing) damping = growing;
  state->corner = toward(state->corner, goal->corner, corner);
  state->damping = toward(state->damping, goal->damping, damping);
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
    state->to = goal->parts;
  }
  state->from = state->to;
  state->to = goal->parts;
  state->corner_step = fabs(goal->corner - state->corner) / length;
  state->damping_step = fabs(goal->damping - state->damping) / length;
}

static inline __attribute__((always_inline)) float tick(vg_filter_state *state, double x, double g, double k, double scale,
                                                        vg_filter_parts parts) {
  double band = (state->s1 + g * (x - state->s2)) * scale;
  double low = state->s2 + g * band;
  state->s1 = 2 * band - state->s1;
  state->s2 = 2 * low - state->s2;
  return (float)(parts.input * x + parts.band * (k * band) + parts.low * low);
}

static inline __attribute__((always_inline)) vg_filter_parts between(vg_filter_parts from, vg_filter_parts to, double t) {
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
    out[i] = tick(&now, vg_bounded(in[i]), now.g, now.k, scale, between(now.from, now.to, t));
  }
  const double g = now.g, k = now.k, scale = 1 / (1 + g * (g + k));
  for (; i < count; i++) out[i] = tick(&now, vg_bounded(in[i]), g, k, scale, now.to);
  *state = now;
}
