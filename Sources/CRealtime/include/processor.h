#pragma once
#include <stddef.h>
#include <stdint.h>
#include "effects.h"

/* Sets flush-to-zero and, on x86-64, denormals-are-zero for the calling thread; returns the control register as it was.
   Hosts do this while the callback runs, because operations on denormal numbers take up to a hundred times as long.
   Builtins are used instead of <xmmintrin.h>: importing that header as a Clang module would make the C library's types
   that it includes belong to the compiler's module. */
VG_REALTIME static inline uint64_t vg_flush_denormals(void) {
#if defined(__x86_64__)
  uint32_t before = __builtin_ia32_stmxcsr();
  __builtin_ia32_ldmxcsr(before | 0x8040u);
  return before;
#elif defined(__aarch64__)
  uint64_t before;
  __asm__ volatile("mrs %0, fpcr" : "=r"(before));
  __asm__ volatile("msr fpcr, %0" : : "r"(before | (1ull << 24)));
  return before;
#else
  return 0;
#endif
}
/* Restores the floating-point control register that vg_flush_denormals has returned. */
VG_REALTIME static inline void vg_restore_denormals(uint64_t before) {
#if defined(__x86_64__)
  __builtin_ia32_ldmxcsr((uint32_t)before);
#elif defined(__aarch64__)
  __asm__ volatile("msr fpcr, %0" : : "r"(before));
#else
  (void)before;
#endif
}

/* Prefetches `bytes` from `place` into the caches, in steps of a cache line of 64 bytes. The address may be invalid. */
static inline void vg_prefetch(const void *place, size_t bytes) {
  for (size_t at = 0; at < bytes; at += 64) __builtin_prefetch((const char *)place + at);
}

/* Mark the beginning and the end of the audio callback for RealtimeSanitizer, if that is linked. */
VG_REALTIME void vg_enter_callback(void);
VG_REALTIME void vg_leave_callback(void);
/* Whether RealtimeSanitizer is linked. */
int vg_sanitized(void);

/* The clone of the kernels that runs: 4 for x86-64-v4, 3 for x86-64-v3, otherwise 1. */
int vg_clone(void);
