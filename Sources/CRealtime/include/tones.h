#pragma once
#include <stddef.h>
#include <stdint.h>
#include "effects.h"

#pragma clang assume_nonnull begin

/* Test signals as functions of the sample's place on the timeline: any cut gives the same bytes. `turn` is the part of
   a period that one sample takes, in units of 2^-64. */
VG_REALTIME void vg_sine(float *out, int64_t sample, uint64_t turn, float level, size_t count);
VG_REALTIME void vg_impulses(float *out, int64_t sample, uint64_t turn, float level, size_t count);
VG_REALTIME void vg_white(float *out, int64_t sample, uint64_t seed, float level, size_t count);
VG_REALTIME void vg_pink(float *out, int64_t sample, uint64_t seed, float level, size_t count);

#pragma clang assume_nonnull end
