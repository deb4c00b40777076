#include "CBenchmark.h"

#if defined(__x86_64__)
#define BENCH_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define BENCH_CLONES
#endif

static inline float within(float x) { return x < 0 ? 0 : x > 1 ? 1 : x; }

BENCH_CLONES void bench_particles(float *columns, size_t stride, size_t count, float dt) {
  float *restrict x = columns, *restrict y = x + stride, *restrict vx = y + stride, *restrict vy = vx + stride;
  float *restrict red = vy + stride, *restrict green = red + stride, *restrict blue = green + stride;
  float *restrict alpha = blue + stride, *restrict scale = alpha + stride, *restrict life = scale + stride;
  const float *restrict ax = life + stride, *restrict ay = ax + stride, *restrict redSpeed = ay + stride;
  const float *restrict greenSpeed = redSpeed + stride, *restrict blueSpeed = greenSpeed + stride;
  const float *restrict alphaSpeed = blueSpeed + stride, *restrict scaleSpeed = alphaSpeed + stride;
  for (size_t i = 0; i < count; i++) {
    vx[i] += ax[i] * dt;
    vy[i] += ay[i] * dt;
    x[i] += vx[i] * dt;
    y[i] += vy[i] * dt;
    red[i] = within(red[i] + redSpeed[i] * dt);
    green[i] = within(green[i] + greenSpeed[i] * dt);
    blue[i] = within(blue[i] + blueSpeed[i] * dt);
    alpha[i] = within(alpha[i] + alphaSpeed[i] * dt);
    scale[i] += scaleSpeed[i] * dt;
    life[i] -= dt;
  }
}
