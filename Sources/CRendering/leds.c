#include "vectors.h"

/* Weight, of 256, of row or column `i` of an LED's area: less than 256 only at the edges, where the area covers a
   pixel in part. With a single row or column, `first_weight` alone counts. */
VG_INLINE uint32_t edge_weight(uint32_t i, uint32_t last, uint32_t first_weight, uint32_t last_weight) {
  return i == 0 ? first_weight : i == last ? last_weight : 256;
}

/* The mean color of an LED's area, in 8.4 fixed point, 0…4080 (255 * 16). */
VG_INLINE void take_mean(uint32_t *mean, const uint8_t *pixels, size_t stride, const vg_led *led) {
  uint64_t red = 0, green = 0, blue = 0;
  for (uint32_t row = 0; row < led->down; row++) {
    const uint8_t *line = pixels + (size_t)(led->top + (int32_t)row) * stride + 4 * (size_t)led->left;
    uint32_t r = 0, g = 0, b = 0;
    for (uint32_t i = 0; i < led->across; i++) {
      uint32_t weight = edge_weight(i, led->across - 1u, led->first_across, led->last_across);
      r += line[4 * i] * weight;
      g += line[4 * i + 1] * weight;
      b += line[4 * i + 2] * weight;
    }
    uint32_t weight = edge_weight(row, led->down - 1u, led->first_down, led->last_down);
    red += (uint64_t)r * weight;
    green += (uint64_t)g * weight;
    blue += (uint64_t)b * weight;
  }
  mean[0] = (uint32_t)((double)red * led->scale + 0.5);
  mean[1] = (uint32_t)((double)green * led->scale + 0.5);
  mean[2] = (uint32_t)((double)blue * led->scale + 0.5);
}

/* Whether an LED covers exactly 2 × 2 whole pixels, the usual case of a grid. Compares six fields at once, which lie in a
   row: five times the size of one is between the first and the last. */
_Static_assert(offsetof(vg_led, last_down) - offsetof(vg_led, across) == 5 * sizeof(uint16_t), "six fields in a row");
VG_INLINE int is_two_by_two(const vg_led *led) {
  const uint16_t square[6] = {2, 2, 256, 256, 256, 256};
  return __builtin_memcmp(&led->across, square, sizeof square) == 0;
}

/* Fast path of `take_mean` for 2 × 2 pixels: the sum of four bytes times 4 is their mean times 16. Adds bytes in the
   16-bit lanes of a 64-bit word (two pixels, little endian): red and blue in `even`, green and alpha in `odd`. */
VG_INLINE void take_two_by_two(uint16_t *color, const uint8_t *above, const uint8_t *below) {
  const uint64_t mask = 0x00FF00FF00FF00FF;
  uint64_t a, b;
  __builtin_memcpy(&a, above, 8);
  __builtin_memcpy(&b, below, 8);
  uint64_t even = (a & mask) + (b & mask), odd = (a >> 8 & mask) + (b >> 8 & mask);
  even += even >> 32;
  odd += odd >> 32;
  color[0] = (uint16_t)(even << 2);
  color[1] = (uint16_t)(odd << 2);
  color[2] = (uint16_t)((uint32_t)even >> 16 << 2);
}

VG_KERNEL void vg_sample_leds(const uint8_t *pixels, size_t stride, const vg_led *leds, size_t count, uint16_t *colors) {
  for (size_t i = 0; i < count; i++) {
    if (is_two_by_two(leds + i)) {
      const uint8_t *above = pixels + (size_t)leds[i].top * stride + 4 * (size_t)leds[i].left;
      take_two_by_two(colors + 3 * i, above, above + stride);
      continue;
    }
    uint32_t mean[3] = {0, 0, 0};
    if (leds[i].across) take_mean(mean, pixels, stride, leds + i);
    for (int component = 0; component < 3; component++) {
      colors[3 * i + (size_t)component] = (uint16_t)mean[component];
    }
  }
}

VG_KERNEL vg_led_sums vg_led_levels(const uint16_t *colors, size_t count, const vg_led_look *look, uint16_t *levels) {
  const uint32_t components = look->components;
  vg_led_sums sums = {0, 0};
  for (size_t i = 0; i < count; i++) {
    uint32_t red = look->curve[colors[3 * i]], green = look->curve[colors[3 * i + 1]],
             blue = look->curve[colors[3 * i + 2]];
    uint16_t *out = levels + components * i;
    uint32_t white = 0;
    if (components > 3 && look->white != VG_WHITE_NONE) {
      white = MIN(red, green);
      white = MIN(white, blue);
      if (look->white == VG_WHITE_SUBTRACTED) red -= white, green -= white, blue -= white;
    }
    out[0] = (uint16_t)red;
    out[1] = (uint16_t)green;
    out[2] = (uint16_t)blue;
    sums.colors += red + green + blue;
    sums.whites += white;
    if (components == 4) out[3] = (uint16_t)white;
    if (components == 5) {
      uint32_t warm = (white * look->warm + 128) / 256;
      out[3] = (uint16_t)warm;
      out[4] = (uint16_t)(white - warm);
    }
  }
  return sums;
}

/* A level times the factor of the power limit, in 8.8 fixed point (65280 = 255). A level is at most 255 * 256 = 65280 and
   the factor at most 65536, so the product fits 32 bits. */
VG_INLINE uint32_t scaled(uint16_t level, uint32_t factor) { return level * factor >> 16; }

/* Fast path for a constant number of components, without `keeps_dim` and temporal dithering; it gives the bytes of the loop
   of vg_pack_leds. `rounding`: 128 rounds to the nearest byte, 0 rounds down. */
VG_INLINE void pack(const uint16_t *levels, size_t count, const vg_led_bytes *format, uint32_t components, uint32_t rounding, uint8_t *out) {
  const uint32_t factor = format->factor;
  uint32_t order[5];
  for (uint32_t component = 0; component < components; component++) order[component] = format->order[component];
  for (size_t i = 0; i < count; i++) {
    for (uint32_t component = 0; component < components; component++) {
      out[components * i + component] = (uint8_t)((scaled(levels[components * i + order[component]], factor) + rounding) >> 8);
    }
  }
}

VG_KERNEL void vg_pack_leds(const uint16_t *levels, size_t count, const vg_led_bytes *format, uint8_t *remainders, uint8_t *out) {
  const uint32_t components = format->components;
  if (format->rounds_down || !remainders) {
    const uint32_t rounding = format->rounds_down ? 0 : 128;
    if (!format->keeps_dim && components == 3) {
      pack(levels, count, format, 3, rounding, out);
      return;
    }
    if (!format->keeps_dim && components == 4) {
      pack(levels, count, format, 4, rounding, out);
      return;
    }
  }
  for (size_t i = 0; i < count; i++) {
    for (uint32_t component = 0; component < components; component++) {
      size_t at = components * i + component;
      uint32_t level = scaled(levels[components * i + format->order[component]], format->factor);
      uint32_t byte;
      if (format->rounds_down) {
        byte = level >> 8;
      } else if (remainders) {
        uint32_t sum = level + remainders[at];
        byte = sum >> 8;
        remainders[at] = (uint8_t)(sum & 255);
      } else {
        byte = (level + 128) >> 8;
      }
      /* With temporal dithering, too: levels below 1 are then sent as a constant 1. */
      if (format->keeps_dim && byte == 0 && level > 0) byte = 1;
      out[at] = (uint8_t)byte;
    }
  }
}
