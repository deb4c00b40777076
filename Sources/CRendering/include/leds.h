#pragma once
#include <stddef.h>
#include <stdint.h>
#include "effects.h"

#pragma clang assume_nonnull begin

/* Light of a picture for LEDs: what each sees of it, in the color and at the brightness that it can show. */

/* The place of a LED in a picture: the pixels that it touches, and how much of the outermost ones. */
typedef struct vg_led {
  int32_t left, top;
  uint16_t across, down;                       /* 0: it stays dark */
  uint16_t first_across, last_across;          /* how much of the first and the last column it covers, of 256 */
  uint16_t first_down, last_down;
  double scale;                                /* 16 / (256 * 256 * its area in pixels) */
} vg_led;

enum vg_led_white { VG_WHITE_NONE, VG_WHITE_KEPT, VG_WHITE_SUBTRACTED };

/* What a color becomes. */
typedef struct vg_led_look {
  const uint16_t *curve;   /* 4081 levels, for each sixteenth of a step of 255; full is 255 * 256 */
  uint32_t parts;          /* 3; 4 with white; 5 with warm and cold white */
  uint32_t white;          /* vg_led_white */
  uint32_t warm;           /* the part of white that is warm, of 256 */
} vg_led_look;

/* The light of all LEDs together, as sums of their levels. */
typedef struct vg_led_sums {
  uint64_t colors, whites;
} vg_led_sums;

/* How levels become bytes. */
typedef struct vg_led_bytes {
  uint32_t parts;
  uint8_t order[8];        /* which part stands at each place */
  uint32_t factor;         /* what all is multiplied by, of 65536 */
  uint8_t floors;          /* rounded down, so that no limit is passed */
  uint8_t keeps;           /* what is not dark is at least 1 */
} vg_led_bytes;

/* The mean color at the place of each LED, in sixteenths of a step of 255: three numbers each. `stride` is in bytes; a
   pixel has four. */
VG_REALTIME void vg_sample_leds(const uint8_t *pixels, size_t stride, const vg_led *leds, size_t count, uint16_t *colors);

/* Levels of these colors, `parts` for each. */
VG_REALTIME vg_led_sums vg_light_leds(const uint16_t *colors, size_t count, const vg_led_look *look, uint16_t *levels);

/* Bytes of levels. With `rests`, a byte for each that goes on from frame to frame, what rounding leaves is shown by the
   frames that follow (error diffusion over time). */
VG_REALTIME void vg_pack_leds(const uint16_t *levels, size_t count, const vg_led_bytes *form, uint8_t *_Nullable rests,
                              uint8_t *out);

#pragma clang assume_nonnull end
