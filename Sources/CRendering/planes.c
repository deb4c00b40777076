#include "pixels.h"

/* The numbers of HDTV (BT.709) for bytes of RGB and narrow range, as parts of 65,536: white is exactly 235, gray has no
   color. Whole numbers, so every processor gives the same. */
enum {
  Y_RED = 11966, Y_GREEN = 40254, Y_BLUE = 4064,
  CB_RED = -6596, CB_GREEN = -22188, CB_BLUE = 28784,
  CR_RED = 28784, CR_GREEN = -26145, CR_BLUE = -2639
};

VG_PART void bright_row(uint8_t *restrict out, const uint8_t *restrict in, size_t width) {
#pragma clang loop vectorize(enable)
  for (size_t i = 0; i < width; i++) {
    int32_t red = in[4 * i], green = in[4 * i + 1], blue = in[4 * i + 2];
    out[i] = (uint8_t)((Y_RED * red + Y_GREEN * green + Y_BLUE * blue + (16 << 16) + (1 << 15)) >> 16);
  }
}

/* The color of two rows: the mean of four pixels each. */
VG_PART void color_row(uint8_t *restrict cb, uint8_t *restrict cr, const uint8_t *restrict upper,
                        const uint8_t *restrict lower, size_t half) {
#pragma clang loop vectorize(enable)
  for (size_t i = 0; i < half; i++) {
    int32_t red = upper[8 * i] + upper[8 * i + 4] + lower[8 * i] + lower[8 * i + 4];
    int32_t green = upper[8 * i + 1] + upper[8 * i + 5] + lower[8 * i + 1] + lower[8 * i + 5];
    int32_t blue = upper[8 * i + 2] + upper[8 * i + 6] + lower[8 * i + 2] + lower[8 * i + 6];
    cb[i] = (uint8_t)((CB_RED * red + CB_GREEN * green + CB_BLUE * blue + (128 << 18) + (1 << 17)) >> 18);
    cr[i] = (uint8_t)((CR_RED * red + CR_GREEN * green + CR_BLUE * blue + (128 << 18) + (1 << 17)) >> 18);
  }
}

VG_KERNEL void vg_yuv_planes(const uint8_t *pixels, uint8_t *out, size_t width, size_t height) {
  uint8_t *cb = out + width * height, *cr = cb + width / 2 * (height / 2);
  for (size_t y = 0; y < height; y += 2) {
    const uint8_t *upper = pixels + y * width * 4, *lower = upper + width * 4;
    bright_row(out + y * width, upper, width);
    bright_row(out + (y + 1) * width, lower, width);
    color_row(cb + y / 2 * (width / 2), cr + y / 2 * (width / 2), upper, lower, width / 2);
  }
}
