#pragma once
#include "particles.h"

#pragma clang assume_nonnull begin

/* Sorts the indices in `order` by `keys[order[i]]`, ascending and stable. `spare` is as long as `order`. */
VG_REALTIME void vg_sort(const uint32_t *keys, uint32_t *order, uint32_t *spare, size_t count);

/* Continues `hash` with `count` words of 32 bits, and returns it. */
VG_REALTIME uint64_t vg_hash(uint64_t hash, const void *words, size_t count);

#pragma clang assume_nonnull end
