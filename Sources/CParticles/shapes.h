#pragma once
#include "random.h"
#include "trig.h"

/* Where in a shape particles are born, seen from its center. A radius is the greatest of two or three numbers drawn
   evenly: its distribution is r² or r³, which is what area and volume ask for, without a root. */

VG_INLINE float sign_of(uint32_t word, int bit) { return (word >> bit) & 1 ? 0.5f : -0.5f; }
VG_INLINE float greater(float a, float b) { return a > b ? a : b; }

VG_INLINE void place_line(float *x, const uint32_t *birth, size_t count, const vg_random *random, const vg_shape *s) {
  if (s->mode == VG_POINTS || s->mode == VG_OUTLINE) {
    for (size_t i = 0; i < count; i++)
      x[i] = s->width * sign_of(hashed(birth[i] ^ random->word[VG_RANDOM_CHOICE]), 31);
  } else {
    for (size_t i = 0; i < count; i++)
      x[i] = s->width * (0.5f * either_side(birth[i], random->word[VG_RANDOM_PLACE1]));
  }
}

/* Corners, edges by length, faces by area or all by volume, of a box that may have no depth. */
VG_INLINE void place_box(float *x, float *y, float *z, const uint32_t *birth, size_t count, const vg_random *random,
                         const vg_shape *s, const int mode, const int flat) {
  const float w = s->width, h = s->height, d = flat ? 0 : s->depth;
  const uint32_t *word = random->word;
  float aw = __builtin_fabsf(w), ah = __builtin_fabsf(h), ad = __builtin_fabsf(d);
  const float edges = aw + ah + ad, faces = aw * ah + aw * ad + ah * ad;
  for (size_t i = 0; i < count; i++) {
    uint32_t choice = hashed(birth[i] ^ word[VG_RANDOM_CHOICE]);
    float cx = sign_of(choice, 0), cy = sign_of(choice, 1), cz = sign_of(choice, 2);
    float ex = 0.5f * either_side(birth[i], word[VG_RANDOM_PLACE1]);
    float ey = 0.5f * either_side(birth[i], word[VG_RANDOM_PLACE2]);
    float ez = 0.5f * either_side(birth[i], word[VG_RANDOM_PLACE3]);
    /* the upper 24 bits choose the edge or face, the lower ones its side */
    float which = (float)(int32_t)(choice >> 8) * 0x1p-24f;
    int inX = mode == VG_VOLUME, inY = inX, inZ = inX;
    if (mode == VG_OUTLINE) {
      float at = which * edges;
      inX = at < aw;
      inY = !inX & (at < aw + ah);
      inZ = !inX & !inY;
    } else if (mode == VG_SURFACE) {
      float at = which * faces;
      int front = at < aw * ah, top = !front & (at < aw * ah + aw * ad);
      inX = front | top;
      inY = !top;
      inZ = !front;
    }
    x[i] = w * (inX ? ex : cx);
    y[i] = h * (inY ? ey : cy);
    z[i] = flat ? 0 : d * (inZ ? ez : cz);
  }
}

VG_INLINE void place_circle(float *x, float *y, const uint32_t *birth, size_t count, const vg_random *random,
                            const vg_shape *s, const int filled) {
  const uint32_t *word = random->word;
  for (size_t i = 0; i < count; i++) {
    float turn = 0.5f * either_side(birth[i], word[VG_RANDOM_PLACE1]);
    float r = s->width;
    if (filled) r *= greater(part(birth[i], word[VG_RANDOM_PLACE2]), part(birth[i], word[VG_RANDOM_PLACE3]));
    x[i] = r * cosine(turn);
    y[i] = r * sine(turn);
  }
}

VG_INLINE void place_sphere(float *x, float *y, float *z, const uint32_t *birth, size_t count, const vg_random *random,
                            const vg_shape *s, const int filled) {
  const uint32_t *word = random->word;
  for (size_t i = 0; i < count; i++) {
    float turn = 0.5f * either_side(birth[i], word[VG_RANDOM_PLACE1]);
    /* even along z is even on the shell (Archimedes) */
    float up = either_side(birth[i], word[VG_RANDOM_PLACE2]);
    float across = __builtin_sqrtf((1 - up) * (1 + up));
    float r = s->width;
    if (filled)
      r *= greater(greater(part(birth[i], word[VG_RANDOM_PLACE3]), part(birth[i], word[VG_RANDOM_PLACE4])),
                   part(birth[i], word[VG_RANDOM_CHOICE]));
    x[i] = r * (across * cosine(turn));
    y[i] = r * (across * sine(turn));
    z[i] = r * up;
  }
}

VG_INLINE void place(float *x, float *y, float *z, const uint32_t *birth, size_t count, const vg_random *random,
                     const vg_shape *s) {
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
