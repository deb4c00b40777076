#include "sets.h"

particle_kernels particle_kernels_chosen(void) {
  return (particle_kernels){vg_move, vg_stillborn, vg_remove, vg_set_back, vg_bear, vg_bear_from, vg_owe,
                            vg_name_parents, vg_turn, vg_show};
}

particle_kernels particle_kernels_of(int level) {
  switch (level) {
  case 4: return particle_kernels_4();
  case 3: return particle_kernels_3();
  default: return particle_kernels_1();
  }
}
