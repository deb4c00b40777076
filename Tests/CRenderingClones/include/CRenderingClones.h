#pragma once
#include "CRendering.h"

#pragma clang assume_nonnull begin

/* The renderer's kernels of one instruction set. Tests compare the sets, which must all give the same bytes. */
typedef struct rendering_set {
  void (*draw)(vg_tile *tile, const vg_entry *entries, size_t count, const vg_sprite *sprites, const vg_mip_level *levels);
  void (*map_tones)(const vg_tile *tile, const vg_tone_mapping *tone, uint8_t *out, size_t stride);
  float (*light_profile)(float square);
  void (*yuv_planes)(const uint8_t *pixels, uint8_t *out, size_t width, size_t height);
} rendering_set;

/* The set that the loader selected for this processor, which visgraph runs. */
rendering_set rendering_set_chosen(void);
/* The sets for baseline x86-64 (1), x86-64-v3 (3) and x86-64-v4 (4); on other processors always the first. Run only
   sets up to the level of `vg_clone`. */
rendering_set rendering_set_of(int level);

#pragma clang assume_nonnull end
