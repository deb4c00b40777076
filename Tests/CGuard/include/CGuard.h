#pragma once
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/* A guard before the Swift runtime and the C library: it counts what a thread calls between `guard_enter` and
   `guard_leave` that the audio callback must not call. It stands there by defining the functions itself, in the test
   program, which the loader asks before any library; each one counts and hands on. Counts belong to their thread, so
   tests beside each other do not mix. Calls that a library makes within itself are not seen. */

typedef struct guard_counts {
  uint64_t references;  /* retain, release and their kin */
  uint64_t objects;     /* Swift objects and boxes made or freed */
  uint64_t accesses;    /* exclusivity checks */
  uint64_t onces;       /* globals that are made at their first use */
  uint64_t metadata;    /* types, witnesses and casts looked up while running */
  uint64_t allocations; /* malloc and its kin */
  uint64_t frees;
  uint64_t locks;       /* mutexes and read-write locks */
  uint64_t waits;       /* semaphores and sleep */
  uint64_t calls;       /* into the kernel: read, write, poll, syscall */
  const char *_Nullable first; /* the first of all, by name */
} guard_counts;

/* Begins to count on this thread, from zero. */
void guard_enter(void);
/* Ends counting; gives what was counted since `guard_enter`. */
guard_counts guard_leave(void);
/* Whether the C library is watched too; under a sanitizer that is the sanitizer's work. */
int guard_watches_library(void);

/* The bytes of the heap that are in use, in all arenas; what is free goes back to the system first. */
size_t guard_heap(void);

#pragma clang assume_nonnull end
