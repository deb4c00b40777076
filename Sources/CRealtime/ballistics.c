#include "bounded.h"
#include "clones.h"

/* What the capacitors read after a sample. */
static inline __attribute__((always_inline)) double charge(double memory[2], const vg_program_meter_law *law, double x) {
  for (int i = 0; i < 2; i++) {
    memory[i] *= law->keep;
    memory[i] += x > memory[i] ? law->charge[i] * (x - memory[i]) : 0;
  }
  return law->weight[0] * memory[0] + law->weight[1] * memory[1];
}

/* Where the needle is after a sample. */
static inline __attribute__((always_inline)) double swing(double memory[2], const vg_program_meter_law *law, double x) {
  /* The speed first: the energy of the swing then neither grows nor shrinks by the step. */
  memory[1] += law->spring * (law->scale * x - memory[0]) - law->damping * memory[1];
  memory[0] += law->step * memory[1];
  return memory[0];
}

VG_REALTIME void vg_program_meter(vg_program_meter_state *state, const vg_program_meter_law *law, const float *samples,
                                  uint32_t count, float *peak) {
  const int charges = law->kind == VG_PEAK_PROGRAM_METER;
  double memory[2] = {state->memory[0], state->memory[1]}, top = state->top, highest = *peak;
  for (uint32_t i = 0; i < count; i++) {
    const double x = fabs(vg_bounded(samples[i]));
    const double reading = charges ? charge(memory, law, x) : swing(memory, law, x);
    top = reading > top ? reading : top;
    highest = x > highest ? x : highest;
  }
  state->memory[0] = memory[0];
  state->memory[1] = memory[1];
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
