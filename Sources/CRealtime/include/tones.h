#pragma once
#include <stddef.h>
#include <stdint.h>
#include "effects.h"

#pragma clang assume_nonnull begin

/* Test signals as functions of the place on the timeline, so their bytes do not depend on where cycles end. `phase` is
   that of the first sample, `turn` the phase increment per sample, both in units of 2^-64 of a period. In a glide the
   increment changes: sample i has the phase of the one before plus turn + i × step. `level`: the amplitude; `sample`:
   the place of the first sample on the timeline. */
VG_REALTIME void vg_sine(float *out, uint64_t phase, uint64_t turn, float level, size_t count);
VG_REALTIME void vg_sine_glide(float *out, uint64_t phase, uint64_t turn, int64_t step, float level, size_t count);
VG_REALTIME void vg_impulses(float *out, uint64_t phase, uint64_t turn, float level, size_t count);
VG_REALTIME void vg_impulses_glide(float *out, uint64_t phase, uint64_t turn, int64_t step, float level, size_t count);
VG_REALTIME void vg_white(float *out, int64_t sample, uint64_t seed, float level, size_t count);
VG_REALTIME void vg_pink(float *out, int64_t sample, uint64_t seed, float level, size_t count);

#pragma clang assume_nonnull end
