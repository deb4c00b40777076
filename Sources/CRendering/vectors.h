#pragma once
#include "../CRealtime/clones.h"
#include "CRendering.h"

/* SIMD vectors: f8 has eight floats, i32x8 has eight int32_t. The compiler splits them where a processor's registers are
   narrower; each element is computed alone and in the order written, so all processors give the same bytes. */
typedef float f2 __attribute__((ext_vector_type(2)));
typedef float f4 __attribute__((ext_vector_type(4)));
typedef float f8 __attribute__((ext_vector_type(8)));
typedef int32_t i32x8 __attribute__((ext_vector_type(8)));
/* The same types without their alignment, for loads and stores at any float. */
typedef f2 __attribute__((aligned(4))) loose_f2;
typedef f4 __attribute__((aligned(4))) loose_f4;
typedef f8 __attribute__((aligned(4))) loose_f8;
typedef i32x8 __attribute__((aligned(4))) loose_i32x8;

/* For functions of kernels: inlined into the kernel, so that each clone compiles them for its own processor. They take
   vectors by pointer: by value these would be passed in registers that not every processor has. */
#define VG_INLINE static inline __attribute__((always_inline))

/* Maximum and minimum of two scalars or vectors; where one is NaN, the result is `b`. One argument is evaluated twice. */
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))
