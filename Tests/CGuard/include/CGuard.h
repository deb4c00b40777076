#pragma once
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/* A counting interposer for the Swift runtime and the C library: it counts a thread's calls between `guard_enter` and
   `guard_leave` of functions that the audio callback must not call. The test program defines these functions itself,
   so the loader binds them before those of any library; each counts and calls the real one. Each thread has its own
   counts, so tests that run at once do not mix. Calls within a library are not counted. */

typedef struct guard_counts {
  uint64_t references;  /* retain, release and similar */
  uint64_t objects;     /* Swift objects and boxes, allocated or freed */
  uint64_t accesses;    /* exclusivity checks */
  uint64_t onces;       /* globals initialized at their first use */
  uint64_t metadata;    /* types, witness tables and casts looked up at run time */
  uint64_t allocations; /* malloc and similar */
  uint64_t frees;
  uint64_t locks;       /* mutexes and read-write locks */
  uint64_t waits;       /* semaphores and sleeps */
  uint64_t calls;       /* system calls: read, write, poll, syscall */
  const char *_Nullable first; /* the name of the first counted call */
} guard_counts;

/* Starts counting on this thread, from 0. */
void guard_enter(void);
/* Ends counting. Returns the counts since `guard_enter`. */
guard_counts guard_leave(void);
/* Whether calls of the C library are counted, too. Not under a sanitizer, which interposes them itself. */
int guard_watches_library(void);

/* Cancels a thread that computes for some time, in which it may be canceled at any instruction, and then sleeps in a
   read. Returns 1 if it computed to the end, 0 if it was canceled before, -1 if it was not canceled. */
int guard_computes_before_cancel(int milliseconds);

/* The bytes of the heap in use, in all arenas. Returns free memory to the system first. */
size_t guard_heap(void);

#pragma clang assume_nonnull end
