#include "CBenchmark.h"

#if defined(__x86_64__)
#define BENCH_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define BENCH_CLONES
#endif

/* 16 samples at any address; volatile, because the compiler would drop an unused load. */
typedef float block __attribute__((ext_vector_type(16), aligned(4)));

BENCH_CLONES void bench_load(const float *samples, uint32_t count) {
  for (uint32_t i = 0; i + 32 <= count; i += 32) {
    (void)*(const volatile block *)(samples + i);
    (void)*(const volatile block *)(samples + i + 16);
  }
}
