#include "sets.h"
#include "tones.h"

kernel_set kernel_set_chosen(void) {
  return (kernel_set){vg_meter, vg_meter_finish, vg_add,         vg_scale, vg_add_scaled, vg_ramp, vg_gain,
                      vg_count_not_finite, vg_copy_finite, vg_sine, vg_impulses, vg_white, vg_pink,
                      vg_true_peak, vg_filter_bands, vg_power_spectrum, vg_weighted_sum,
                      vg_dim_levels, vg_fill_slots};
}

kernel_set kernel_set_of(int level) {
  switch (level) {
  case 4: return kernel_set_4();
  case 3: return kernel_set_3();
  default: return kernel_set_1();
  }
}
