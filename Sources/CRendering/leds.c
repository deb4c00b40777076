#include "pixels.h"

/* How much light a place takes of a row or a column: all of it, but for the outermost ones. In parts of 256. */
VG_PART uint32_t share(uint32_t i, uint32_t last, uint32_t of_first, uint32_t of_last) {
  return i == 0 ? of_first : i == last ? of_last : 256;
}

/* The mean color of a LED's place, in sixteenths of a step of 255. */
VG_PART void take_mean(uint32_t *mean, const uint8_t *pixels, size_t stride, const vg_led *led) {
  uint64_t red = 0, green = 0, blue = 0;
  for (uint32_t row = 0; row < led->down; row++) {
    const uint8_t *line = pixels + (size_t)(led->top + (int32_t)row) * stride + 4 * (size_t)led->left;
    uint32_t r = 0, g = 0, b = 0;
    for (uint32_t i = 0; i < led->across; i++) {
      uint32_t part = share(i, led->across - 1u, led->first_across, led->last_across);
      r += line[4 * i] * part;
      g += line[4 * i + 1] * part;
      b += line[4 * i + 2] * part;
    }
    uint32_t part = share(row, led->down - 1u, led->first_down, led->last_down);
    red += (uint64_t)r * part;
    green += (uint64_t)g * part;
    blue += (uint64_t)b * part;
  }
  mean[0] = (uint32_t)((double)red * led->scale + 0.5);
  mean[1] = (uint32_t)((double)green * led->scale + 0.5);
  mean[2] = (uint32_t)((double)blue * led->scale + 0.5);
}

/* Whether a LED's place is two by two whole pixels, as those of a grid are that covers the picture: from `across` on. */
VG_PART int is_square(const vg_led *led) {
  const uint16_t square[6] = {2, 2, 256, 256, 256, 256};
  return __builtin_memcmp(&led->across, square, sizeof square) == 0;
}

/* The same as the mean of such a place: four times the sum of four. Colors stand in every other byte of two pixels. */
VG_PART void take_square(uint16_t *color, const uint8_t *above, const uint8_t *below) {
  const uint64_t others = 0x00FF00FF00FF00FF;
  uint64_t a, b;
  __builtin_memcpy(&a, above, 8);
  __builtin_memcpy(&b, below, 8);
  uint64_t even = (a & others) + (b & others), odd = (a >> 8 & others) + (b >> 8 & others);
  even += even >> 32;
  odd += odd >> 32;
  color[0] = (uint16_t)(even << 2);
  color[1] = (uint16_t)(odd << 2);
  color[2] = (uint16_t)((uint32_t)even >> 16 << 2);
}

VG_KERNEL void vg_sample_leds(const uint8_t *pixels, size_t stride, const vg_led *leds, size_t count, uint16_t *colors) {
  for (size_t i = 0; i < count; i++) {
    if (is_square(leds + i)) {
      const uint8_t *above = pixels + (size_t)leds[i].top * stride + 4 * (size_t)leds[i].left;
      take_square(colors + 3 * i, above, above + stride);
      continue;
    }
    uint32_t mean[3] = {0, 0, 0};
    if (leds[i].across) take_mean(mean, pixels, stride, leds + i);
    for (int part = 0; part < 3; part++) colors[3 * i + (size_t)part] = (uint16_t)mean[part];
  }
}

VG_KERNEL vg_led_sums vg_light_leds(const uint16_t *colors, size_t count, const vg_led_look *look, uint16_t *levels) {
  const uint32_t parts = look->parts;
  vg_led_sums sums = {0, 0};
  for (size_t i = 0; i < count; i++) {
    uint32_t red = look->curve[colors[3 * i]], green = look->curve[colors[3 * i + 1]],
             blue = look->curve[colors[3 * i + 2]];
    uint16_t *out = levels + parts * i;
    uint32_t white = 0;
    if (parts > 3 && look->white != VG_WHITE_NONE) {
      white = LESS(red, green);
      white = LESS(white, blue);
      if (look->white == VG_WHITE_SUBTRACTED) red -= white, green -= white, blue -= white;
    }
    out[0] = (uint16_t)red;
    out[1] = (uint16_t)green;
    out[2] = (uint16_t)blue;
    sums.colors += red + green + blue;
    sums.whites += white;
    if (parts == 4) out[3] = (uint16_t)white;
    if (parts == 5) {
      uint32_t warm = (white * look->warm + 128) / 256;
      out[3] = (uint16_t)warm;
      out[4] = (uint16_t)(white - warm);
    }
  }
  return sums;
}

/* The plain case, for as many parts as the compiler is told: `half` is what rounds. 65280 * 65536 has room in 32 bits. */
VG_PART void pack(const uint16_t *levels, size_t count, const vg_led_bytes *form, uint32_t parts, uint32_t half, uint8_t *out) {
  const uint32_t factor = form->factor;
  uint32_t order[5];
  for (uint32_t part = 0; part < parts; part++) order[part] = form->order[part];
  for (size_t i = 0; i < count; i++) {
    for (uint32_t part = 0; part < parts; part++) {
      out[parts * i + part] = (uint8_t)((((levels[parts * i + order[part]] * factor) >> 16) + half) >> 8);
    }
  }
}

VG_KERNEL void vg_pack_leds(const uint16_t *levels, size_t count, const vg_led_bytes *form, uint8_t *rests, uint8_t *out) {
  const uint32_t parts = form->parts;
  if (form->floors || !rests) {
    const uint32_t half = form->floors ? 0 : 128;
    if (!form->keeps && parts == 3) return pack(levels, count, form, 3, half, out);
    if (!form->keeps && parts == 4) return pack(levels, count, form, 4, half, out);
  }
  for (size_t i = 0; i < count; i++) {
    for (uint32_t part = 0; part < parts; part++) {
      size_t at = parts * i + part;
      /* 255 steps of 256 each; a part of the room that a limit leaves */
      uint32_t level = (uint32_t)(((uint64_t)levels[parts * i + form->order[part]] * form->factor) >> 16);
      uint32_t byte;
      if (form->floors) {
        byte = level >> 8;
      } else if (rests) {
        uint32_t sum = level + rests[at];
        byte = sum >> 8;
        rests[at] = (uint8_t)(sum & 255);
      } else {
        byte = (level + 128) >> 8;
      }
      if (form->keeps && byte == 0 && level > 0) byte = 1;
      out[at] = (uint8_t)byte;
    }
  }
}
