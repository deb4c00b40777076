#pragma once
#include <stddef.h>
#include <stdint.h>
#include "effects.h"

#pragma clang assume_nonnull begin

/* From a picture to the bytes of LEDs: the mean color of each LED's area (`vg_sample_leds`), its levels by gamma curve
   and white extraction (`vg_led_levels`), its bytes (`vg_pack_leds`). */

/* The area of an LED in a picture: the pixels that it touches, and how much of the outermost ones it covers. */
typedef struct vg_led {
  int32_t left, top;                  /* the first column and row, in pixels */
  uint16_t across, down;              /* numbers of columns and rows; 0: the LED stays dark */
  uint16_t first_across, last_across; /* covered shares of the first and the last column, of 256 */
  uint16_t first_down, last_down;     /* the same for rows */
  double scale;                       /* 16 / (256 * 256 * its area in pixels): from weighted sum to 8.4 */
} vg_led;

enum vg_led_white { VG_WHITE_NONE, VG_WHITE_KEPT, VG_WHITE_SUBTRACTED };

/* How colors become levels. */
typedef struct vg_led_look {
  const uint16_t *curve;   /* a level for each color value 0…4080; full is 255 * 256 (8.8 fixed point) */
  uint32_t components;     /* color components of an LED: 3; 4 with white; 5 with warm and cold white */
  uint32_t white;          /* vg_led_white */
  uint32_t warm;           /* share of white that is warm, of 256 */
} vg_led_look;

/* Sums of the levels of all LEDs: red, green and blue together; white. */
typedef struct vg_led_sums {
  uint64_t colors, whites;
} vg_led_sums;

/* How levels become bytes. */
typedef struct vg_led_bytes {
  uint32_t components;     /* color components of an LED, 3 to 5 */
  uint8_t order[8];        /* for each byte of an LED, the index of its component */
  uint32_t factor;         /* factor for all levels, 0…65536; 65536 is 1 */
  uint8_t rounds_down;     /* 1: rounds down, so that the sum does not exceed a power limit */
  uint8_t keeps_dim;       /* 1: a level above 0 becomes at least byte 1 */
} vg_led_bytes;

/* Writes the mean color of each LED's area: red, green, blue in 8.4 fixed point, 0…4080 (255 * 16).
   A pixel has four bytes; `stride`: bytes from row to row. */
VG_REALTIME void vg_sample_leds(const uint8_t *pixels, size_t stride, const vg_led *leds, size_t count,
                                uint16_t *colors);

/* Writes the levels of these colors, `components` for each, by gamma curve and white extraction. */
VG_REALTIME vg_led_sums vg_led_levels(const uint16_t *colors, size_t count, const vg_led_look *look, uint16_t *levels);

/* Converts the levels of `count` LEDs to bytes. `remainders`, one byte per component, carries the rounding remainder to
   the next frame (temporal dithering); NULL: rounds without dithering. */
VG_REALTIME void vg_pack_leds(const uint16_t *levels, size_t count, const vg_led_bytes *format,
                              uint8_t *_Nullable remainders, uint8_t *out);

#pragma clang assume_nonnull end
