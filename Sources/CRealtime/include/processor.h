#pragma once
#include <stddef.h>
#include <stdint.h>
#include "effects.h"

/* Sets flush-to-zero and, on x86-64, denormals-are-zero for the calling thread; returns the control register as it was.
   Hosts do this around the callback, because operations on denormal numbers take up to a hundred times as long.
   <xmmintrin.h> is not included: imported as a Clang module, it would make types of the C library belong to the
   compiler's module. */
VG_REALTIME static inline uint64_t vg_flush_denormals(void) {
#if defined(__x86_64__)
  uint32_t before = __builtin_ia32_stmxcsr();
  __builtin_ia32_ldmxcsr(before | 0x8040u); /* FTZ, bit 15; DAZ, bit 6 */
  return before;
#elif defined(__aarch64__)
  uint64_t before;
  __asm__ volatile("mrs %0, fpcr" : "=r"(before));
  __asm__ volatile("msr fpcr, %0" : : "r"(before | (1ull << 24))); /* FZ */
  return before;
#else
  return 0;
#endif
}
/* Restores the floating-point control register to the value that vg_flush_denormals returned. */
VG_REALTIME static inline void vg_restore_denormals(uint64_t before) {
#if defined(__x86_64__)
  __builtin_ia32_ldmxcsr((uint32_t)before);
#elif defined(__aarch64__)
  __asm__ volatile("msr fpcr, %0" : : "r"(before));
#else
  (void)before;
#endif
}

/* Prefetches `bytes` bytes from `place` into the caches, every 64 bytes (a cache line). The address may be invalid.
   [frame] */
static inline void vg_prefetch(const void *place, size_t bytes) {
  for (size_t at = 0; at < bytes; at += 64) __builtin_prefetch((const char *)place + at);
}

/* These two mark the beginning and the end of the audio callback for RealtimeSanitizer, if it is linked. [audio] */
VG_REALTIME void vg_enter_callback(void);
VG_REALTIME void vg_leave_callback(void);
/* Whether RealtimeSanitizer is linked. */
int vg_sanitized(void);

/* Returns the level of the kernels' clones that run here: 4 for x86-64-v4, 3 for x86-64-v3, otherwise 1; always 1 on
   processors that are not x86-64. */
int vg_clone(void);
