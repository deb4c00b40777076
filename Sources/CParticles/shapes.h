#pragma once
#include "random.h"
#include "trig.h"

/* Positions of births relative to the shape's center. */

/* Returns ±½ by one bit of the word: a coordinate of a corner of the unit box. */
VG_INLINE float half_sign(uint32_t word, int bit) { return (word >> bit) & 1 ? 0.5f : -0.5f; }
/* The larger of two numbers. The maximum of two (three) uniform numbers has the distribution function r² (r³), so a radius
   drawn this way is uniform over a disk (ball) without a square (cube) root. */
VG_INLINE float greater(float a, float b) { return a > b ? a : b; }

VG_INLINE void place_line(float *x, const uint32_t *birth, size_t count, const vg_random *random, const vg_shape *s) {
  if (s->mode == VG_POINTS || s->mode == VG_OUTLINE) {
    for (size_t i = 0; i < count; i++)
      x[i] = s->width * half_sign(hashed(birth[i] ^ random->word[VG_RANDOM_CHOICE]), 31);
  } else {
    for (size_t i = 0; i < count; i++)
      x[i] = s->width * (0.5f * uniform11(birth[i], random->word[VG_RANDOM_PLACE1]));
  }
}

/* Places uniform over the corners, the edges (by length), the faces (by area) or the volume of a box. `flat`: without
   depth. */
VG_INLINE void place_box(float *x, float *y, float *z, const uint32_t *birth, size_t count, const vg_random *random,
                         const vg_shape *s, const int mode, const int flat) {
  const float w = s->width, h = s->height, d = flat ? 0 : s->depth;
  const uint32_t *word = random->word;
  float aw = __builtin_fabsf(w), ah = __builtin_fabsf(h), ad = __builtin_fabsf(d);
  const float edges = aw + ah + ad, faces = aw * ah + aw * ad + ah * ad;
  for (size_t i = 0; i < count; i++) {
    uint32_t choice = hashed(birth[i] ^ word[VG_RANDOM_CHOICE]);
    float cx = half_sign(choice, 0), cy = half_sign(choice, 1), cz = half_sign(choice, 2);
    float ex = 0.5f * uniform11(birth[i], word[VG_RANDOM_PLACE1]);
    float ey = 0.5f * uniform11(birth[i], word[VG_RANDOM_PLACE2]);
    float ez = 0.5f * uniform11(birth[i], word[VG_RANDOM_PLACE3]);
    /* The upper 24 bits choose the edge or face, the lowest three the side in each direction. */
    float chosen = (float)(int32_t)(choice >> 8) * 0x1p-24f;
    /* Whether the place varies along each axis, or lies on one of its two sides. */
    int varies_x = mode == VG_VOLUME, varies_y = varies_x, varies_z = varies_x;
    if (mode == VG_OUTLINE) {
      float picked = chosen * edges;
      varies_x = picked < aw;
      varies_y = !varies_x & (picked < aw + ah);
      varies_z = !varies_x & !varies_y;
    } else if (mode == VG_SURFACE) {
      float picked = chosen * faces;
      /* Front and back, else top and bottom, else left and right. */
      int front = picked < aw * ah, top = !front & (picked < aw * ah + aw * ad);
      varies_x = front | top;
      varies_y = !top;
      varies_z = !front;
    }
    x[i] = w * (varies_x ? ex : cx);
    y[i] = h * (varies_y ? ey : cy);
    z[i] = flat ? 0 : d * (varies_z ? ez : cz);
  }
}

VG_INLINE void place_circle(float *x, float *y, const uint32_t *birth, size_t count, const vg_random *random,
                            const vg_shape *s, const int filled) {
  const uint32_t *word = random->word;
  for (size_t i = 0; i < count; i++) {
    float turn = 0.5f * uniform11(birth[i], word[VG_RANDOM_PLACE1]);
    float r = s->width;
    if (filled) r *= greater(uniform01(birth[i], word[VG_RANDOM_PLACE2]), uniform01(birth[i], word[VG_RANDOM_PLACE3]));
    x[i] = r * cosine(turn);
    y[i] = r * sine(turn);
  }
}

VG_INLINE void place_sphere(float *x, float *y, float *z, const uint32_t *birth, size_t count, const vg_random *random,
                            const vg_shape *s, const int filled) {
  const uint32_t *word = random->word;
  for (size_t i = 0; i < count; i++) {
    float turn = 0.5f * uniform11(birth[i], word[VG_RANDOM_PLACE1]);
    /* A uniform z gives points that are uniform on the sphere (Archimedes' hat-box theorem). */
    float up = uniform11(birth[i], word[VG_RANDOM_PLACE2]);
    float across = __builtin_sqrtf((1 - up) * (1 + up));
    float r = s->width;
    if (filled) /* a sphere has no side to choose, so the word of CHOICE is free */
      r *= greater(greater(uniform01(birth[i], word[VG_RANDOM_PLACE3]), uniform01(birth[i], word[VG_RANDOM_PLACE4])),
                   uniform01(birth[i], word[VG_RANDOM_CHOICE]));
    x[i] = r * (across * cosine(turn));
    y[i] = r * (across * sine(turn));
    z[i] = r * up;
  }
}

/* Each call below passes its mode as a constant, so the inlined loop has no branch on it. */
VG_INLINE void place(float *x, float *y, float *z, const uint32_t *birth, size_t count, const vg_random *random,
                     const vg_shape *s) {
  /* Coordinates that a shape does not set stay 0. Flat shapes have no volume, so both modes mean their area. */
  for (size_t i = 0; i < count; i++) x[i] = y[i] = z[i] = 0;
  const int filled = s->mode == VG_SURFACE || s->mode == VG_VOLUME;
  switch (s->shape) {
  case VG_LINE: place_line(x, birth, count, random, s); break;
  case VG_RECTANGLE:
    if (filled) place_box(x, y, z, birth, count, random, s, VG_VOLUME, 1);
    else if (s->mode == VG_OUTLINE) place_box(x, y, z, birth, count, random, s, VG_OUTLINE, 1);
    else place_box(x, y, z, birth, count, random, s, VG_POINTS, 1);
    break;
  case VG_CUBOID:
    if (s->mode == VG_VOLUME) place_box(x, y, z, birth, count, random, s, VG_VOLUME, 0);
    else if (s->mode == VG_SURFACE) place_box(x, y, z, birth, count, random, s, VG_SURFACE, 0);
    else if (s->mode == VG_OUTLINE) place_box(x, y, z, birth, count, random, s, VG_OUTLINE, 0);
    else place_box(x, y, z, birth, count, random, s, VG_POINTS, 0);
    break;
  case VG_CIRCLE:
    if (filled) place_circle(x, y, birth, count, random, s, 1);
    else place_circle(x, y, birth, count, random, s, 0);
    break;
  case VG_SPHERE:
    if (s->mode == VG_VOLUME) place_sphere(x, y, z, birth, count, random, s, 1);
    else place_sphere(x, y, z, birth, count, random, s, 0);
    break;
  default: break;
  }
}
