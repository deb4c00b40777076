#include "sets.h"

rendering_set rendering_set_chosen(void) { return (rendering_set){vg_draw, vg_map_tones, vg_light_profile, vg_yuv_planes}; }

rendering_set rendering_set_of(int level) {
  switch (level) {
  case 4: return rendering_set_4();
  case 3: return rendering_set_3();
  default: return rendering_set_1();
  }
}
