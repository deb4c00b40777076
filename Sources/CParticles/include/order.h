#pragma once
#include "particles.h"

#pragma clang assume_nonnull begin

/* Sorts `order` by `keys[order[i]]`, ascending; equals stay as they were. `spare` is as long as `order`. */
VG_REALTIME void vg_sort(const uint32_t *keys, uint32_t *order, uint32_t *spare, size_t count);

/* Stirs `count` words of 32 bits into a number that tells any difference. */
VG_REALTIME uint64_t vg_hash(uint64_t into, const void *words, size_t count);

#pragma clang assume_nonnull end
