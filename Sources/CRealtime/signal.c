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
/* Returns the gain at sample `i` of a segment that begins at `position` of the frame. The gain is `from` at the frame's
   beginning and grows by `step` per sample. */
static inline __attribute__((always_inline)) float ramp_gain(float from, float step, uint32_t position, size_t i) {
  return from + step * (float)(int32_t)(position + (uint32_t)i + 1);
}
VG_KERNEL void vg_ramp(float *restrict out, const float *restrict in, float factor, float from, float to,
                       uint32_t position, uint32_t length, size_t count) {
  float step = (to - from) / (float)length;
  for (size_t i = 0; i < count; i++) out[i] = in[i] * (factor * ramp_gain(from, step, position, i));
}
/* Samples of a gain ramp that are computed at a time. Consecutive channels with the same `from` and `to` share them;
   usually all channels do. */
enum { RAMP_BLOCK = 256 };
VG_KERNEL void vg_gain(const vg_cycle *cycle, const vg_io *io, const float *from, const float *to) {
  float gains[RAMP_BLOCK];
  for (size_t start = 0; start < cycle->count; start += RAMP_BLOCK) {
    size_t count = cycle->count - start < RAMP_BLOCK ? cycle->count - start : RAMP_BLOCK;
    /* The channel whose ramp is in `gains`; outputCount if none is. */
    uint32_t ramp_channel = io->outputCount;
    for (uint32_t c = 0; c < io->outputCount; c++) {
      float *restrict out = cycle->buffers[io->outputs[c]] + start;
      const float *restrict in = cycle->buffers[io->inputs[c]] + start;
      if (from[c] == to[c]) {
        scale(out, in, to[c], count);
        continue;
      }
      if (ramp_channel == io->outputCount || from[c] != from[ramp_channel] || to[c] != to[ramp_channel]) {
        float step = (to[c] - from[c]) / (float)cycle->length;
        uint32_t position = cycle->position + (uint32_t)start;
        for (size_t i = 0; i < count; i++) gains[i] = ramp_gain(from[c], step, position, i);
        ramp_channel = c;
      }
      for (size_t i = 0; i < count; i++) out[i] = in[i] * gains[i];
    }
  }
}

/* Whether x is infinite or NaN: all exponent bits are set. Tests bits, so no compiler flag can remove it. */
static inline __attribute__((always_inline)) uint32_t is_not_finite(float x) {
  uint32_t bits;
  memcpy(&bits, &x, 4);
  return (bits & 0x7f800000u) == 0x7f800000u;
}

VG_KERNEL uint32_t vg_count_not_finite(const float *in, size_t count) {
  uint32_t bad = 0;
  for (size_t i = 0; i < count; i++) bad += is_not_finite(in[i]);
  return bad;
}
VG_KERNEL void vg_copy_finite(float *restrict out, const float *restrict in, size_t count) {
  for (size_t i = 0; i < count; i++) out[i] = is_not_finite(in[i]) ? 0 : in[i];
}

/* Clamps to 0…1. NaN becomes 0, so that converting the result to an integer is defined. Both callers handle NaN
   afterwards: vg_dim_levels passes it on, vg_fill_slots leaves the slot unchanged. */
static inline __attribute__((always_inline)) float clamp01(float level) {
  float low = level < 1 ? level : level == level ? 1 : 0;
  return low >= 0 ? low : 0;
}

VG_KERNEL void vg_dim_levels(float *restrict out, const float *restrict in, float master, size_t count) {
  for (size_t i = 0; i < count; i++) {
    float level = in[i];
    out[i] = level == level ? clamp01(level) * master : level;
  }
}

VG_KERNEL uint32_t vg_fill_slots(uint8_t *restrict slots, const float *restrict levels, size_t count) {
  uint8_t changed = 0;
  for (size_t i = 0; i < count; i++) {
    float level = levels[i];
    uint8_t byte = (uint8_t)(int32_t)(clamp01(level) * 255 + 0.5f);
    byte = level == level ? byte : slots[i];
    changed |= byte ^ slots[i];
    slots[i] = byte;
  }
  return changed != 0;
}
