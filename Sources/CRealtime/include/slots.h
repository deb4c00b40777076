#pragma once
#include <stddef.h>
#include <stdint.h>
#include "effects.h"

#pragma clang assume_nonnull begin

/* The kernels of light outputs, which run on the frame thread: a show may have a hundred thousand levels in every
   frame. As in those of the callback, no floating-point operation is reassociated or contracted. [frame] */

/* Clamps levels to 0…1 and multiplies them by `master`, 0…1. NaN stays NaN, for which vg_fill_slots leaves a slot
   unchanged. */
VG_REALTIME void vg_dim_levels(float *out, const float *in, float master, size_t count);
/* Writes levels 0…1 into slots as 0…255, clamped and rounded. NaN leaves its slot unchanged. Returns whether any slot
   has changed. */
VG_REALTIME uint32_t vg_fill_slots(uint8_t *slots, const float *levels, size_t count);

#pragma clang assume_nonnull end
