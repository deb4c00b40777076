/* The C library. Not interposed under a sanitizer, which does so itself. */
#ifndef VG_GUARD_RUNTIME_ONLY
#define _GNU_SOURCE
#include "guarded.h"
#include <errno.h>

/* Calls glibc's internal names: dlsym itself allocates, so the allocating functions must not use it. */
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

void *malloc(size_t size) {
  GUARD_COUNT(allocations, "malloc");
  return __libc_malloc(size);
}
void *calloc(size_t count, size_t size) {
  GUARD_COUNT(allocations, "calloc");
  return __libc_calloc(count, size);
}
void *realloc(void *memory, size_t size) {
  GUARD_COUNT(allocations, "realloc");
  return __libc_realloc(memory, size);
}
void *memalign(size_t alignment, size_t size) {
  GUARD_COUNT(allocations, "memalign");
  return __libc_memalign(alignment, size);
}
void *aligned_alloc(size_t alignment, size_t size) {
  GUARD_COUNT(allocations, "aligned_alloc");
  return __libc_memalign(alignment, size);
}
int posix_memalign(void **memory, size_t alignment, size_t size) {
  GUARD_COUNT(allocations, "posix_memalign");
  void *place = __libc_memalign(alignment, size);
  if (!place) return ENOMEM;
  *memory = place;
  return 0;
}
void free(void *memory) {
  if (memory) GUARD_COUNT(frees, "free");
  __libc_free(memory);
}

GUARD(locks, pthread_mutex_lock)
GUARD(locks, pthread_rwlock_rdlock)
GUARD(locks, pthread_rwlock_wrlock)

GUARD(waits, sem_wait)
GUARD(waits, sem_timedwait)
GUARD(waits, sem_clockwait)
GUARD(waits, usleep)
GUARD(waits, nanosleep)
GUARD(waits, clock_nanosleep)

GUARD(calls, read)
GUARD(calls, write)
GUARD(calls, poll)
GUARD(calls, send)
GUARD(calls, sendto)
GUARD(calls, recv)
GUARD(calls, syscall)
#endif
