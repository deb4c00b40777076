#include <string.h>
#include "CRealtime.h"
#include "clones.h"

VG_REALTIME void vg_clear(float *out, size_t count) { __builtin_memset(out, 0, count * sizeof *out); }
VG_REALTIME void vg_copy(float *out, const float *in, size_t count) { __builtin_memmove(out, in, count * sizeof *out); }

VG_KERNEL void vg_add(float *restrict inout, const float *restrict in, size_t count) {
  for (size_t i = 0; i < count; i++) inout[i] += in[i];
}
static inline __attribute__((always_inline)) void scale(float *restrict out, const float *restrict in, float factor,
                                                        size_t count) {
  for (size_t i = 0; i < count; i++) out[i] = in[i] * factor;
}
VG_KERNEL void vg_scale(float *restrict out, const float *restrict in, float factor, size_t count) {
  scale(out, in, factor, count);
}
VG_KERNEL void vg_add_scaled(float *restrict inout, const float *restrict in, float factor, size_t count) {
  for (size_t i = 0; i < count; i++) inout[i] += in[i] * factor;
}
static inline __attribute__((always_inline)) void ramp(float *restrict out, const float *restrict in, float factor,
                                                       float from, float to, uint32_t position, uint32_t length,
                                                       size_t count) {
  float step = (to - from) / (float)length;
  for (size_t i = 0; i < count; i++) {
    float level = from + step * (float)(int32_t)(position + (uint32_t)i + 1);
    out[i] = in[i] * (factor * level);
  }
}
VG_KERNEL void vg_ramp(float *restrict out, const float *restrict in, float factor, float from, float to,
                       uint32_t position, uint32_t length, size_t count) {
  ramp(out, in, factor, from, to, position, length, count);
}
VG_KERNEL void vg_gain(const vg_cycle *cycle, const vg_io *io, const float *from, const float *to) {
  for (uint32_t c = 0; c < io->outputCount; c++) {
    float *out = cycle->buffers[io->outputs[c]];
    const float *in = cycle->buffers[io->inputs[c]];
    if (from[c] == to[c]) {
      scale(out, in, to[c], cycle->count);
    } else {
      ramp(out, in, 1, from[c], to[c], cycle->position, cycle->length, cycle->count);
    }
  }
}

static inline __attribute__((always_inline)) uint32_t exponent_full(float x) {
  uint32_t bits;
  memcpy(&bits, &x, 4);
  return (bits & 0x7f800000u) == 0x7f800000u;
}

VG_KERNEL uint32_t vg_count_not_finite(const float *in, size_t count) {
  uint32_t bad = 0;
  for (size_t i = 0; i < count; i++) bad += exponent_full(in[i]);
  return bad;
}
VG_KERNEL void vg_copy_finite(float *restrict out, const float *restrict in, size_t count) {
  for (size_t i = 0; i < count; i++) out[i] = exponent_full(in[i]) ? 0 : in[i];
}
