#include "sets.h"

particle_kernels particle_kernels_chosen(void) {
  return (particle_kernels){vg_move, vg_list_short_lived, vg_remove, vg_rebase_clock, vg_emit, vg_emit_from, vg_due_births,
                            vg_assign_parents, vg_sincos, vg_write_sprites};
}

particle_kernels particle_kernels_of(int level) {
  switch (level) {
  case 4: return particle_kernels_4();
  case 3: return particle_kernels_3();
  default: return particle_kernels_1();
  }
}
