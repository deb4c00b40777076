#include "include/deferred_delete.h"
#include <stdlib.h>

static _Thread_local vg_deleted *deferred;

void vg_defer_deletes(vg_deleted *deleted) { deferred = deleted; }

/* C++ lets a program replace `operator delete`. The symbol is that of Itanium's C++ ABI, which all compilers for Linux
   follow; sized deletes of libstdc++ end here as well. What `operator new` returns is from `malloc`. */
void vg_delete(void *block) {
  vg_deleted *deleted = deferred;
  if (!deleted) return free(block);
  if (block && deleted->count < sizeof deleted->blocks / sizeof *deleted->blocks)
    deleted->blocks[deleted->count++] = block;
}
