#pragma once
#include <stdint.h>

/* What a kernel cannot be faster than: reads `count` samples (a multiple of 32) and does nothing with them. The same
   blocks of 32 samples, the same clones and the same way of being called as the kernels of the audio callback. */
void bench_load(const float *_Nonnull samples, uint32_t count);
