#pragma once
#include "effects.h"
/* In every file that includes this, a VG_REALTIME function that may block or allocate is a compile error. */
#pragma clang diagnostic error "-Wfunction-effects"

/* Compiles a function for three levels of x86-64 (clones). The dynamic loader picks the highest level that the
   processor supports. There are no clones under ThreadSanitizer: the loader calls their resolver, which would be
   instrumented, too, before ThreadSanitizer's runtime is initialized. */
#if !defined(__x86_64__) || __has_feature(thread_sanitizer)
#define VG_CLONES
#else
#define VG_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#endif
/* For kernels: VG_REALTIME, and on x86-64 a clone for each level. */
#define VG_KERNEL VG_CLONES VG_REALTIME
