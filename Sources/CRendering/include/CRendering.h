#pragma once
#include <stddef.h>
#include <stdint.h>
#include "dither.h"
#include "effects.h"
#include "leds.h"

#pragma clang assume_nonnull begin

/* The kernels of the renderer. A picture is drawn tile by tile. The value of a pixel depends only on its position and
   on the sprites in their order. Tiles of any size, on any thread and any processor, therefore give the same bytes. A
   pixel has four floats: red, green, blue, alpha. Colors are premultiplied by alpha; 1 is the brightest that a screen
   shows. */

/* A mip level of a texture, for one material. Coordinates u, v are in texels from the center of the first texel. */
typedef struct vg_mip_level {
  const float *texels;     /* four floats each; the last row and the last column are stored twice */
  int32_t stride;          /* texels from row to row */
  float u_first, u_last;   /* limits to which u is clamped, so that neighbors in an atlas never show */
  float v_first, v_last;   /* the same for v */
  float u_centre, v_centre; /* center of the shown part */
  float u_scale, v_scale;  /* texels of this level per pixel of the whole picture */
} vg_mip_level;

enum vg_sampling {
  VG_NEAREST,              /* the nearest texel */
  VG_BILINEAR,             /* interpolated between four texels */
  VG_TRILINEAR,            /* interpolated between four texels in each of two mip levels */
  VG_SOFT,                 /* the built-in light, computed by vg_light_profile's formula */
};

/* A sprite on the canvas; lengths are in pixels of the canvas. */
typedef struct vg_sprite {
  int32_t left, right;     /* columns that it may touch: left … right - 1 */
  int32_t top, bottom;     /* rows that it may touch: top … bottom - 1 */
  int32_t x, y;            /* the pixel that its center is in */
  float x_part, y_part;    /* the center's position within that pixel, 0…1 */
  float cosine, sine;      /* of its rotation */
  float half_width, half_height; /* half its size plus half a pixel, for antialiasing */
  float most_across, most_down;  /* largest coverage of a pixel along u, v, 0…1: below 1 if thinner than a pixel */
  float reach;             /* distance from its center to its farthest pixel that is not transparent */
  float step;              /* pixels of the picture per pixel of the canvas; with VG_SOFT: 1 / radius² */
  float blend;             /* weight of the next mip level, 0…1 */
  float red, green, blue, alpha; /* its color, premultiplied by alpha */
  uint32_t level;          /* index of its mip level */
  uint8_t kind;            /* vg_sampling */
  uint8_t adds;            /* 1: additive blending; 0: source-over */
} vg_sprite;

/* A sprite in the list of one band of the canvas, with the columns left…right - 1 that it may touch. */
typedef struct vg_entry {
  uint32_t sprite;
  uint16_t left, right;
} vg_entry;

/* The bits of the layers of a tile that a sprite has touched. */
enum { VG_TOUCHED_BASE = 1, VG_TOUCHED_LIGHT = 2 };

/* A part of the canvas that is being drawn. */
typedef struct vg_tile {
  int32_t left, right;     /* its columns: left … right - 1 */
  int32_t top, bottom;     /* its rows: top … bottom - 1 */
  int32_t stride;          /* pixels from row to row of base and light: even, at least right - left */
  int32_t touched;         /* the layers in use: VG_TOUCHED_BASE, VG_TOUCHED_LIGHT */
  float background[4];     /* stands for `base` while no source-over sprite has touched the tile */
  float *base;             /* the background and the source-over sprites, at most 1 */
  float *light;            /* the sum of the additive sprites, without limit */
} vg_tile;

/* Draws the sprites of a list that touch the tile, in the order of the list. Clears `base` and `light` before their
   first use and sets their bits in `touched`. */
VG_REALTIME void vg_draw(vg_tile *tile, const vg_entry *entries, size_t count, const vg_sprite *sprites,
                         const vg_mip_level *levels);

/* How a tile becomes bytes. */
typedef struct vg_tone_mapping {
  float knee;              /* brightness is unchanged up to it, and compressed to below 1 above; 1: clipped at 1 */
  float white;             /* the excess over the knee at which a color is half way to white */
  int32_t opaque;          /* the background is solid: alpha is 255 everywhere */
} vg_tone_mapping;

/* Writes the tile's pixels as bytes, red green blue alpha, with straight (not premultiplied) alpha. `out` is the first
   byte of the canvas, `stride` its bytes from row to row. */
VG_REALTIME void vg_map_tones(const vg_tile *tile, const vg_tone_mapping *tone, uint8_t *out, size_t stride);

/* Converts pixels (red green blue alpha) to planar YCbCr 4:2:0 by BT.709 in narrow range: a plane of Y, then Cb and Cr,
   each of one byte for 2 × 2 pixels. Alpha is left out. Width and height are even. */
VG_REALTIME void vg_yuv_planes(const uint8_t *pixels, uint8_t *out, size_t width, size_t height);

/* The profile of the built-in light: 1 in the middle, exactly 0 at the edge. `square` is (distance from the middle /
   radius)^2. With s = (1 - square)^2 it is s * (VG_LIGHT_WIDE + VG_LIGHT_NARROW * s^2). */
#define VG_LIGHT_WIDE 0.3f
#define VG_LIGHT_NARROW 0.7f
VG_REALTIME float vg_light_profile(float square);

#pragma clang assume_nonnull end
