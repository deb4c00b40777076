#include "bounded.h"
#include "clones.h"

VG_REALTIME void vg_ppm(vg_ppm_state *state, const vg_ppm_law *law, const float *samples, uint32_t count, float *peak) {
  double first = state->charged[0], second = state->charged[1], top = state->top, highest = *peak;
  for (uint32_t i = 0; i < count; i++) {
    const double x = fabs(vg_bounded(samples[i]));
    first *= law->keep;
    second *= law->keep;
    first += x > first ? law->charge[0] * (x - first) : 0;
    second += x > second ? law->charge[1] * (x - second) : 0;
    const double reading = law->weight[0] * first + law->weight[1] * second;
    top = reading > top ? reading : top;
    highest = x > highest ? x : highest;
  }
  state->charged[0] = first;
  state->charged[1] = second;
  state->top = top;
  *peak = (float)highest;
}

VG_REALTIME void vg_needle(vg_needle_state *state, const vg_needle_law *law, const float *samples, uint32_t count,
                           float *peak) {
  double place = state->place, speed = state->speed, top = state->top, highest = *peak;
  for (uint32_t i = 0; i < count; i++) {
    const double x = fabs(vg_bounded(samples[i]));
    /* The speed first: the energy of the swing then neither grows nor shrinks by the step. */
    speed += law->spring * (law->scale * x - place) - law->damping * speed;
    place += law->step * speed;
    top = place > top ? place : top;
    highest = x > highest ? x : highest;
  }
  state->place = place;
  state->speed = speed;
  state->top = top;
  *peak = (float)highest;
}

VG_REALTIME void vg_add_products(vg_products *sums, const float *left, const float *right, uint32_t count) {
  vg_products now = *sums;
  for (uint32_t i = 0; i < count; i++) {
    const double l = vg_bounded(left[i]), r = vg_bounded(right[i]);
    now.left += l * l;
    now.right += r * r;
    now.both += l * r;
  }
  *sums = now;
}
