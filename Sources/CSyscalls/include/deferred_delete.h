#pragma once
#include <stddef.h>

#pragma clang assume_nonnull begin

/* Blocks of memory that C++ code has deleted and that are not freed yet. */
typedef struct vg_deleted {
  void *_Nullable blocks[8];
  size_t count;
} vg_deleted;

/* From now on, blocks that the calling thread deletes are added to `deleted`, unchanged, instead of being freed; with
   NULL they are freed again. More blocks than it has room for are leaked, because to free them might crash. */
void vg_defer_deletes(vg_deleted *_Nullable deleted);
/* Deletes a block as C++ does: what libraries in C++ call, too. */
void vg_delete(void *_Nullable block) __asm__("_ZdlPv");

#pragma clang assume_nonnull end
