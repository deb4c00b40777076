#pragma once
#include "../CRealtime/clones.h"
#include "CRendering.h"

/* Groups of floats. The compiler splits them where a processor has only narrower ones; every element is worked alone and
   in the order written, so all give the same bytes. */
typedef float f2 __attribute__((ext_vector_type(2)));
typedef float f4 __attribute__((ext_vector_type(4)));
typedef float f8 __attribute__((ext_vector_type(8)));
typedef int32_t i8 __attribute__((ext_vector_type(8)));
/* The same wherever they stand. */
typedef f2 __attribute__((aligned(4))) loose_f2;
typedef f4 __attribute__((aligned(4))) loose_f4;
typedef f8 __attribute__((aligned(4))) loose_f8;
typedef i8 __attribute__((aligned(4))) loose_i8;

/* Part of the kernel it stands in, so that it is built for the same processor. Vectors go in and out by pointer: by
   value they would be passed in registers that not every processor has. */
#define VG_PART static inline __attribute__((always_inline))

/* The larger and the smaller of two, also of groups; not a number gives the second. */
#define MORE(a, b) ((a) > (b) ? (a) : (b))
#define LESS(a, b) ((a) < (b) ? (a) : (b))
