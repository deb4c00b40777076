#pragma once
#include <stddef.h>
#include <stdint.h>
#include "effects.h"

#pragma clang assume_nonnull begin

/* The kernels of outputs of light, on the frame thread: a show may have a hundred thousand levels in every frame. As those
   of the callback, none reassociates or contracts. */

/* What goes out for levels under a master: held within 0…1, times `master`; what is no number stays as it is. */
VG_REALTIME void vg_dim_levels(float *out, const float *in, float master, size_t count);
/* Lays levels into slots: 0 is 0, 1 is 255, rounded, and held within that; what is no number leaves its slot as it is. Returns
   whether any slot is another one than before. */
VG_REALTIME uint32_t vg_fill_slots(uint8_t *slots, const float *levels, size_t count);

#pragma clang assume_nonnull end
