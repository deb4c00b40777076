#pragma once
#include "CParticles.h"

#pragma clang assume_nonnull begin

/* The kernels of one instruction set. Tests compare the sets, which must all give the same bytes. */
typedef struct particle_kernels {
  uint32_t (*move)(const vg_particles *all, const vg_motion *motion, uint32_t *gone);
  uint32_t (*list_short_lived)(const vg_particles *all, size_t first, float seconds, uint32_t *gone);
  void (*remove)(const vg_particles *all, uint32_t columns, const uint32_t *gone, uint32_t count);
  void (*rebase_clock)(const vg_particles *all, float seconds, const vg_attributes *grown);
  void (*emit)(const vg_particles *all, size_t first, size_t count, uint64_t total, uint32_t number, uint32_t order,
               const vg_birth *birth, const vg_shape *shape);
  void (*emit_from)(const vg_particles *all, size_t first, size_t count, uint32_t number, uint32_t order,
                    const vg_birth *birth, const vg_parents *parents, const uint32_t *from);
  uint64_t (*due_births)(const vg_particles *parents, uint32_t carry, size_t young, float perFrame, float begin, float end,
                  uint32_t *times);
  void (*assign_parents)(const vg_particles *parents, uint32_t carry, float perFrame, float end, const uint32_t *times,
                       size_t count, uint32_t *from, float *left);
  void (*sincos)(float turns, float *cosine, float *sine);
  size_t (*write_sprites)(const vg_particles *all, const vg_sprite_style *style, void *sprites, uint32_t *_Nullable rows);
} particle_kernels;

/* The set that the loader selected for this processor, which visgraph runs. */
particle_kernels particle_kernels_chosen(void);
/* The sets for baseline x86-64 (1), x86-64-v3 (3) and x86-64-v4 (4); on other processors always the first. Run only
   sets up to the level of `vg_clone`. */
particle_kernels particle_kernels_of(int level);

#pragma clang assume_nonnull end
