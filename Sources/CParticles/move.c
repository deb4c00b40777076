#include "columns.h"

/* Whether a coordinate is beyond ±VG_FAR or not finite. Compares bits: as integers, magnitudes keep their order, with
   NaN and infinity above all others. */
VG_INLINE int32_t is_far(float x) {
  const float far = VG_FAR;
  int32_t bits, limit;
  __builtin_memcpy(&bits, &x, 4);
  __builtin_memcpy(&limit, &far, 4);
  return (bits & 0x7fffffff) > limit;
}

/* Particles are tested for their end in blocks; a block in which none ends costs a single test. */
#define BLOCK 64

/* Moves a block of particles. Returns nonzero if one of them is over. `accelerated` and `deep` are constants, for which
   the loop is compiled. */
VG_INLINE uint32_t move_block(float *restrict x, float *restrict y, float *restrict z, float *restrict vx,
                              float *restrict vy, float *restrict vz, const float *restrict end, size_t count,
                              const vg_motion *m, const int accelerated, const int deep) {
  const float dt = m->seconds, now = m->now;
  const float hx = 0.5f * m->ax * dt * dt, hy = 0.5f * m->ay * dt * dt, hz = 0.5f * m->az * dt * dt;
  const float gx = m->ax * dt, gy = m->ay * dt, gz = m->az * dt;
  int32_t any_over = 0;
  for (size_t i = 0; i < count; i++) {
    float px = x[i] + (accelerated ? vx[i] * dt + hx : vx[i] * dt);
    float py = y[i] + (accelerated ? vy[i] * dt + hy : vy[i] * dt);
    any_over |= is_far(px) | is_far(py) | !(end[i] > now);
    x[i] = px;
    y[i] = py;
    if (accelerated) {
      vx[i] += gx;
      vy[i] += gy;
    }
    if (deep) {
      float pz = z[i] + (accelerated ? vz[i] * dt + hz : vz[i] * dt);
      any_over |= is_far(pz);
      z[i] = pz;
      if (accelerated) vz[i] += gz;
    }
  }
  return (uint32_t)any_over;
}

/* Vectors of 16, and a mask of 16 bits. */
typedef int32_t integers __attribute__((ext_vector_type(16)));
typedef float floats __attribute__((ext_vector_type(16)));
typedef _Bool bits __attribute__((ext_vector_type(16)));

/* A bit for each of 16 particles: whether it is over. */
VG_INLINE uint32_t over_in_16(const float *x, const float *y, const float *z, const float *end, float now) {
  const float far = VG_FAR;
  int32_t limit;
  __builtin_memcpy(&limit, &far, 4);
  floats ends;
  integers px, py, pz;
  __builtin_memcpy(&ends, end, sizeof ends);
  __builtin_memcpy(&px, x, sizeof px);
  __builtin_memcpy(&py, y, sizeof py);
  __builtin_memcpy(&pz, z, sizeof pz);
  integers over = ~(ends > now) | ((px & 0x7fffffff) > limit) | ((py & 0x7fffffff) > limit);
  over |= (pz & 0x7fffffff) > limit;
  bits mask = __builtin_convertvector(over, bits);
  uint16_t word;
  __builtin_memcpy(&word, &mask, sizeof word);
  return word;
}

VG_INLINE uint32_t move(const vg_particles *all, const vg_motion *m, uint32_t *gone, const int accelerated,
                        const int deep) {
  float *x = column(all, VG_X), *y = column(all, VG_Y), *z = column(all, VG_Z);
  float *vx = column(all, VG_VX), *vy = column(all, VG_VY), *vz = column(all, VG_VZ);
  const float *end = column(all, VG_END);
  size_t count = all->count, i = 0;
  uint32_t found = 0;
  for (; i + BLOCK <= count; i += BLOCK) {
    if (!move_block(x + i, y + i, z + i, vx + i, vy + i, vz + i, end + i, BLOCK, m, accelerated, deep)) continue;
    for (size_t k = i; k < i + BLOCK; k += 16)
      for (uint32_t word = over_in_16(x + k, y + k, z + k, end + k, m->now); word; word &= word - 1)
        gone[found++] = (uint32_t)k + (uint32_t)__builtin_ctz(word);
  }
  if (move_block(x + i, y + i, z + i, vx + i, vy + i, vz + i, end + i, count - i, m, accelerated, deep))
    for (; i < count; i++)
      if (is_far(x[i]) | is_far(y[i]) | is_far(z[i]) | !(end[i] > m->now)) gone[found++] = (uint32_t)i;
  return found;
}

VG_KERNEL uint32_t vg_move(const vg_particles *all, const vg_motion *m, uint32_t *gone) {
  int accelerated = m->ax != 0 || m->ay != 0 || m->az != 0;
  if (accelerated) return m->deep ? move(all, m, gone, 1, 1) : move(all, m, gone, 1, 0);
  return m->deep ? move(all, m, gone, 0, 1) : move(all, m, gone, 0, 0);
}

VG_KERNEL uint32_t vg_list_short_lived(const vg_particles *all, size_t first, float seconds, uint32_t *gone) {
  const float *x = column(all, VG_X), *y = column(all, VG_Y), *z = column(all, VG_Z);
  const float *remaining = column(all, VG_LEFT);
  const vg_attributes *attributes = all->attributes;
  int32_t any_over = 0;
  for (size_t i = first; i < all->count; i++)
    any_over |= is_far(x[i]) | is_far(y[i]) | is_far(z[i]) | !(attributes[i].life > remaining[i] * seconds);
  uint32_t found = 0;
  if (!any_over) return 0;
  for (size_t i = first; i < all->count; i++)
    if (is_far(x[i]) | is_far(y[i]) | is_far(z[i]) | !(attributes[i].life > remaining[i] * seconds))
      gone[found++] = (uint32_t)i;
  return found;
}

/* In each column, from the highest listed row to the lowest, the last particle moves into the row. That particle may
   itself have been moved before. */
VG_REALTIME void vg_remove(const vg_particles *all, uint32_t columns, const uint32_t *gone, uint32_t count) {
  for (uint32_t c = 0; c < columns; c++) {
    float *values = column(all, c);
    size_t last = all->count;
    for (uint32_t i = count; i-- > 0;) values[gone[i]] = values[--last];
  }
  vg_attributes *attributes = all->attributes;
  size_t last = all->count;
  for (uint32_t i = count; i-- > 0;) attributes[gone[i]] = attributes[--last];
}

VG_KERNEL void vg_rebase_clock(const vg_particles *all, float seconds, const vg_attributes *grown) {
  float *end = column(all, VG_END);
  for (size_t i = 0; i < all->count; i++) end[i] -= seconds;
  for (size_t i = 0; i < all->count; i++) {
    vg_attributes *one = all->attributes + i;
    one->scale += grown->scale;
    one->red += grown->red;
    one->green += grown->green;
    one->blue += grown->blue;
    one->alpha += grown->alpha;
  }
}
