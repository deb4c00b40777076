#pragma once
#include <stddef.h>
#include <stdint.h>
#include "effects.h"

/* Denormal numbers cost a hundred times a normal one: hosts flush them to zero while the callback runs, and put the
   processor back as it was. Compiler's builtins and not <xmmintrin.h>, which would make a module of the compiler the owner
   of every type of the C library that it includes. */
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
VG_REALTIME static inline void vg_restore_denormals(uint64_t before) {
#if defined(__x86_64__)
  __builtin_ia32_ldmxcsr((uint32_t)before);
#elif defined(__aarch64__)
  __asm__ volatile("msr fpcr, %0" : : "r"(before));
#else
  (void)before;
#endif
}

/* Has memory that is about to be read come into the caches; it need not be anybody's. */
static inline void vg_prefetch(const void *place, size_t bytes) {
  for (size_t at = 0; at < bytes; at += 64) __builtin_prefetch((const char *)place + at);
}

/* Tells RealtimeSanitizer, when it is linked, that a stretch of code is the audio callback. */
VG_REALTIME void vg_enter_callback(void);
VG_REALTIME void vg_leave_callback(void);
/* Whether RealtimeSanitizer is linked. */
int vg_sanitized(void);

/* Which clone of the kernels runs: 4, 3 or 1 for x86-64-v4, -v3 and the rest. */
int vg_clone(void);
