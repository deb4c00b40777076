#define _GNU_SOURCE
#include "include/CGuard.h"
#include <malloc.h>

size_t guard_heap(void) {
  malloc_trim(0);
  struct mallinfo2 heap = mallinfo2();
  return heap.uordblks + heap.hblkhd;
}
