#include "vectors.h"

/* The coefficients of BT.709 from full-range RGB to narrow-range YCbCr, times 65,536. White gives exactly Y = 235, gray
   exactly Cb = Cr = 128. They are integers, so every processor gives the same bytes. */
enum {
  Y_RED = 11966, Y_GREEN = 40254, Y_BLUE = 4064,
  CB_RED = -6596, CB_GREEN = -22188, CB_BLUE = 28784,
  CR_RED = 28784, CR_GREEN = -26145, CR_BLUE = -2639
};

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "red is the lowest byte of a pixel");

/* Loads a pixel as one integer: the compiler then loads vectors of pixels without shuffles. */
VG_INLINE uint32_t pixel(const uint8_t *pixels, size_t i) {
  uint32_t number;
  __builtin_memcpy(&number, pixels + 4 * i, sizeof number);
  return number;
}

VG_INLINE void luma_row(uint8_t *restrict out, const uint8_t *restrict in, size_t width) {
#pragma clang loop vectorize(enable)
  for (size_t i = 0; i < width; i++) {
    uint32_t number = pixel(in, i);
    int32_t red = number & 255, green = number >> 8 & 255, blue = number >> 16 & 255;
    out[i] = (uint8_t)((Y_RED * red + Y_GREEN * green + Y_BLUE * blue + (16 << 16) + (1 << 15)) >> 16);
  }
}

/* Writes Cb and Cr for two rows, each value of the mean of 2 × 2 pixels. Red and blue are summed in the two 16-bit
   halves of one integer. `half`: half the width. */
VG_INLINE void chroma_row(uint8_t *restrict cb, uint8_t *restrict cr, const uint8_t *restrict upper,
                          const uint8_t *restrict lower, size_t half) {
  const uint32_t both = 0x00FF00FF;
#pragma clang loop vectorize(enable)
  for (size_t i = 0; i < half; i++) {
    uint32_t a = pixel(upper, 2 * i), b = pixel(upper, 2 * i + 1), c = pixel(lower, 2 * i), d = pixel(lower, 2 * i + 1);
    uint32_t sides = (a & both) + (b & both) + (c & both) + (d & both);
    int32_t red = sides & 0xFFFF, blue = sides >> 16;
    int32_t green = (a >> 8 & 255) + (b >> 8 & 255) + (c >> 8 & 255) + (d >> 8 & 255);
    cb[i] = (uint8_t)((CB_RED * red + CB_GREEN * green + CB_BLUE * blue + (128 << 18) + (1 << 17)) >> 18);
    cr[i] = (uint8_t)((CR_RED * red + CR_GREEN * green + CR_BLUE * blue + (128 << 18) + (1 << 17)) >> 18);
  }
}

VG_KERNEL void vg_yuv_planes(const uint8_t *pixels, uint8_t *out, size_t width, size_t height) {
  uint8_t *cb = out + width * height, *cr = cb + width / 2 * (height / 2);
  for (size_t y = 0; y < height; y += 2) {
    const uint8_t *upper = pixels + y * width * 4, *lower = upper + width * 4;
    luma_row(out + y * width, upper, width);
    luma_row(out + (y + 1) * width, lower, width);
    chroma_row(cb + y / 2 * (width / 2), cr + y / 2 * (width / 2), upper, lower, width / 2);
  }
}
