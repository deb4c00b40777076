#pragma once
#include "effects.h"
/* A kernel that blocks would be found here by clang. */
#pragma clang diagnostic error "-Wfunction-effects"

/* One source, three bodies; the loader takes the widest the processor has. ThreadSanitizer would run in the resolver
   before it is up, so there are no clones under it. */
#if !defined(__x86_64__) || __has_feature(thread_sanitizer)
#define VG_CLONES
#else
#define VG_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#endif
/* What every cloned kernel is: checked, and built three times. */
#define VG_KERNEL VG_CLONES VG_REALTIME
