#include "columns.h"

/* 2^11: three passes cover a key of 32 bits. */
#define RADIX 2048

/* LSD radix sort of indices, 11 bits in each pass. A pass in which all keys have the same digit is skipped after
   counting. `places`: first the count of each digit, then the next free place of its keys. */
VG_REALTIME void vg_sort(const uint32_t *keys, uint32_t *order, uint32_t *spare, size_t count) {
  uint32_t *from = order, *to = spare;
  for (int shift = 0; shift < 32; shift += 11) {
    uint32_t places[RADIX] = {0};
    for (size_t i = 0; i < count; i++) places[(keys[from[i]] >> shift) % RADIX]++;
    if (count == 0 || places[(keys[from[0]] >> shift) % RADIX] == count) continue;
    uint32_t sum = 0;
    for (size_t d = 0; d < RADIX; d++) {
      uint32_t here = places[d];
      places[d] = sum;
      sum += here;
    }
    for (size_t i = 0; i < count; i++) to[places[(keys[from[i]] >> shift) % RADIX]++] = from[i];
    uint32_t *sorted = to;
    to = from;
    from = sorted;
  }
  if (from != order) __builtin_memcpy(order, from, count * sizeof *order);
}

/* Multiplies and folds once for each word, so the hash depends on the order of the words. */
VG_REALTIME uint64_t vg_hash(uint64_t hash, const void *words, size_t count) {
  for (size_t i = 0; i < count; i++) {
    uint32_t word;
    __builtin_memcpy(&word, (const char *)words + 4 * i, 4);
    hash = (hash ^ word) * 0x9e3779b97f4a7c15ull;
    hash ^= hash >> 29;
  }
  return hash;
}
