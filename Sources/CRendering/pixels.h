#pragma once
#include "../CRealtime/clones.h"
#include "CRendering.h"

/* Groups of floats. The compiler splits them where a processor has only narrower ones; every element is worked alone and
   in the order written, so all give the same bytes. */
typedef float f4 __attribute__((ext_vector_type(4)));
typedef float f8 __attribute__((ext_vector_type(8)));
typedef int32_t i8 __attribute__((ext_vector_type(8)));
/* Two neighbouring texels wherever they stand. */
typedef f8 __attribute__((aligned(4))) texel_pair;
typedef f4 __attribute__((aligned(4))) texel;

/* Part of the kernel it stands in, so that it is built for the same processor. Vectors go in and out by pointer: by
   value they would be passed in registers that not every processor has. */
#define VG_PART static inline __attribute__((always_inline))

/* The larger and the smaller of two, also of groups; not a number gives the second. */
#define MORE(a, b) ((a) > (b) ? (a) : (b))
#define LESS(a, b) ((a) < (b) ? (a) : (b))
