#pragma once
#include <stddef.h>
#include <stdint.h>
#include "effects.h"

#pragma clang assume_nonnull begin

/* The kernels of light outputs, which run on the frame thread: a show may have a hundred thousand levels in every
   frame. As in those of the callback, no floating-point operation is reassociated or contracted. [frame] */

/* Levels under a master: clamped to 0…1, times `master`. NaN stays NaN, which vg_fill_slots leaves out. */
VG_REALTIME void vg_dim_levels(float *out, const float *in, float master, size_t count);
/* Writes levels 0…1 into slots as 0…255, clamped and rounded. NaN leaves its slot unchanged. Returns whether any slot
   has changed. */
VG_REALTIME uint32_t vg_fill_slots(uint8_t *slots, const float *levels, size_t count);

#pragma clang assume_nonnull end
