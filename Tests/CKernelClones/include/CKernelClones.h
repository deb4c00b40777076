#pragma once
#include <stddef.h>
#include <stdint.h>
#include "kernels.h"
#include "measures.h"
#include "slots.h"

#pragma clang assume_nonnull begin

/* The kernels of one instruction set. Tests compare the sets, which must all give the same bytes. */
typedef struct kernel_set {
  uint32_t (*meter)(vg_lanes *lanes, const float *samples, uint32_t count, uint32_t position);
  double (*meter_finish)(vg_lanes *lanes, float *peak);
  void (*add)(float *inout, const float *in, size_t count);
  void (*scale)(float *out, const float *in, float factor, size_t count);
  void (*add_scaled)(float *inout, const float *in, float factor, size_t count);
  void (*ramp)(float *out, const float *in, float factor, float from, float to, uint32_t position, uint32_t length,
               size_t count);
  void (*gain)(const vg_cycle *cycle, const vg_io *io, const float *from, const float *to);
  uint32_t (*count_not_finite)(const float *in, size_t count);
  void (*copy_finite)(float *out, const float *in, size_t count);
  void (*sine)(float *out, uint64_t phase, uint64_t turn, float level, size_t count);
  void (*impulses)(float *out, uint64_t phase, uint64_t turn, float level, size_t count);
  void (*white)(float *out, int64_t sample, uint64_t seed, float level, size_t count);
  void (*pink)(float *out, int64_t sample, uint64_t seed, float level, size_t count);
  void (*true_peak)(vg_true_peak_state *state, const vg_interpolation *filter, const float *samples, uint32_t count);
  void (*filter_bands)(vg_bands_state *state, const vg_bands *bands, const float *samples, uint32_t count);
  void (*power_spectrum)(const vg_fourier *fourier, const float *samples, float *powers);
  double (*weighted_sum)(const float *values, const float *weights, int64_t count);
  void (*dim_levels)(float *out, const float *in, float master, size_t count);
  uint32_t (*fill_slots)(uint8_t *slots, const float *levels, size_t count);
} kernel_set;

/* The set that the loader selected for this processor, which visgraph runs. */
kernel_set kernel_set_chosen(void);
/* The sets for baseline x86-64 (1), x86-64-v3 (3) and x86-64-v4 (4); on other processors always the first. Run only
   sets up to the level of `vg_clone`. */
kernel_set kernel_set_of(int level);

#pragma clang assume_nonnull end
