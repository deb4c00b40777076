#include "CBenchmark.h"

#if defined(__x86_64__)
#define BENCH_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define BENCH_CLONES
#endif

BENCH_CLONES void bench_leds(const uint8_t *pixels, size_t stride, const uint32_t *places, size_t count, const uint8_t *curve,
                             float limit, uint8_t *out) {
  float sum = 0;
  for (size_t i = 0; i < count; i++) {
    const uint8_t *above = pixels + places[i], *below = above + stride;
    for (size_t part = 0; part < 3; part++) {
      uint32_t mean = (uint32_t)(above[part] + above[part + 4] + below[part] + below[part + 4] + 2) >> 2;
      /* Green, red, blue. */
      size_t at = 3 * i + (part == 0 ? 1 : part == 1 ? 0 : 2);
      out[at] = curve[mean];
      sum += curve[mean];
    }
  }
  if (sum <= limit) return;
  uint32_t factor = (uint32_t)(limit / sum * 65536.0f);
  for (size_t i = 0; i < 3 * count; i++) out[i] = (uint8_t)((out[i] * factor) >> 16);
}
