#pragma once
#include <dlfcn.h>
#include <stddef.h>
#include "CGuard.h"

/* Thread-local variables of the program itself, which are accessed without a call. */
#define GUARD_TLS __attribute__((tls_model("initial-exec")))
extern __thread int guard_is_on GUARD_TLS;
__attribute__((visibility("hidden"))) void guard_count(size_t offset, const char *name);

/* Counts a call in the field `sort`, if counting is on. */
#define GUARD_COUNT(sort, name) \
  do { \
    if (__builtin_expect(guard_is_on, 0)) guard_count(offsetof(guard_counts, sort), name); \
  } while (0)

/* The results of all these functions fit into two registers, and their arguments into seven words. */
typedef struct guard_result {
  void *first, *second;
} guard_result;
typedef guard_result guard_any(void *, void *, void *, void *, void *, void *, void *);

/* Interposes a function and counts its calls. The real one is looked up when the program starts, or at a call before
   that; not later, because the lookup may allocate. */
#define GUARD(sort, function) \
  static guard_any *true_##function; \
  __attribute__((constructor)) static void find_##function(void) { \
    true_##function = (guard_any *)dlsym(RTLD_NEXT, #function); \
  } \
  guard_any guarded_##function __asm__(#function); \
  guard_result guarded_##function(void *a, void *b, void *c, void *d, void *e, void *f, void *g) { \
    if (__builtin_expect(!true_##function, 0)) find_##function(); \
    GUARD_COUNT(sort, #function); \
    return true_##function(a, b, c, d, e, f, g); \
  }
