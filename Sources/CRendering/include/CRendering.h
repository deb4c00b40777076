#pragma once
#include <stddef.h>
#include <stdint.h>
#include "effects.h"
#include "leds.h"

#pragma clang assume_nonnull begin

/* The kernels of the renderer. A picture is drawn tile by tile; the value of a pixel is a function of its place and of
   the sprites in their order alone, so tiles of any size, on any thread and any processor, give the same bytes.
   A pixel has four floats: red, green, blue, alpha; premultiplied by alpha, 1 is the brightest that a screen shows. */

/* One size of a picture, as one look shows it. Places are counted in texels from the center of the first. */
typedef struct vg_mip_level {
  const float *texels;     /* four floats each; a row and a column stand doubled after the last that is shown */
  int32_t stride;          /* texels from row to row */
  float u_first, u_last;   /* samples are kept within these, so that neighbors in an atlas never show */
  float v_first, v_last;
  float u_centre, v_centre; /* the place of the center of the shown part */
  float u_scale, v_scale;  /* texels of this size to a pixel of the picture */
} vg_mip_level;

enum vg_sampling {
  VG_NEAREST,              /* the nearest texel */
  VG_BILINEAR,             /* between four */
  VG_TRILINEAR,            /* between four in each of two sizes */
  VG_SOFT,                 /* the built-in light, by its formula */
};

/* A sprite as it lies on the canvas. */
typedef struct vg_sprite {
  int32_t left, right;     /* pixels it may touch: left ... right - 1 */
  int32_t top, bottom;
  int32_t x, y;            /* the pixel its center is in */
  float x_part, y_part;    /* and where in it, 0 to 1 */
  float cosine, sine;
  float half_width, half_height; /* half its size in pixels and half a pixel more */
  float most_across, most_down;  /* the most of a pixel it can cover either way: less than 1 for the thinnest */
  float reach;             /* pixels from its center to the farthest that is not clear */
  float step;              /* pixels of the picture to a pixel of the canvas; for the soft light 1 / radius^2 */
  float blend;             /* how much of the next size shows */
  float red, green, blue, alpha; /* its color, premultiplied by alpha */
  uint32_t level;          /* which of the levels */
  uint8_t kind;            /* vg_sampling */
  uint8_t adds;            /* light is added; else it lies over what is there */
} vg_sprite;

/* One sprite in the list of a band of the canvas, with the pixels it may touch across. */
typedef struct vg_entry {
  uint32_t sprite;
  uint16_t left, right;
} vg_entry;

/* A part of the canvas that is being drawn. */
typedef struct vg_tile {
  int32_t left, right;     /* its pixels: left ... right - 1 */
  int32_t top, bottom;
  int32_t stride;          /* pixels from row to row of base and light: an even number, no less than there are across */
  int32_t touched;         /* 1: something lies over the background; 2: light was added; 3: both */
  float background[4];
  float *base;             /* what sprites cover, with the background */
  float *light;            /* what was added to it */
} vg_tile;

/* Draws the sprites of a list that touch the tile, in the order of the list. Clears base and light first, as far as they
   are used, and says so in `touched`. */
VG_REALTIME void vg_draw(vg_tile *tile, const vg_entry *entries, size_t count, const vg_sprite *sprites,
                         const vg_mip_level *levels);

/* How a tile becomes bytes. */
typedef struct vg_tone_mapping {
  float knee;              /* light is exact up to here, and bends towards 1 above; 1: it is cut off at 1 */
  float white;             /* how far beyond the knee light is half way to white */
  int32_t opaque;          /* the background is solid: alpha is 255 everywhere */
} vg_tone_mapping;

/* Writes the tile's pixels as bytes, red green blue alpha, not premultiplied by alpha; `out` is the canvas' first byte
   and `stride` its bytes from row to row. */
VG_REALTIME void vg_map_tones(const vg_tile *tile, const vg_tone_mapping *tone, uint8_t *out, size_t stride);

/* Writes the pixels (red green blue alpha) as videos want them, 4:2:0: brightness for each, then both colors for each
   four, BT.709 in narrow range; alpha is left out. Width and height are even. */
VG_REALTIME void vg_yuv_planes(const uint8_t *pixels, uint8_t *out, size_t width, size_t height);

/* The profile of the built-in light: 1 in the middle, exactly 0 at the edge; `square` is the square of the distance
   from the middle as a part of the radius. */
VG_REALTIME float vg_light_profile(float square);

#pragma clang assume_nonnull end
