/* The functions that Embedded Swift and clang need of a C library, for modules without one. */
#include <stddef.h>
#include <stdint.h>

/* The first byte of the heap, set by the linker. */
extern unsigned char __heap_base;

/* The allocator. Sizes of blocks are powers of two, from 2^7 to 2^30 bytes. The head of a block holds its exponent; it
   takes 64 bytes, so that the memory behind it begins on a cache line. Freed blocks wait in a list per exponent and are
   reused. */
enum { PAGE = 65536, HEAD = 64, LEAST = 7, MOST = 30 };
static uintptr_t top;
static void *freed[MOST + 1];

static void *take_block(unsigned power) {
  if (freed[power]) {
    void *block = freed[power];
    freed[power] = *(void **)block;
    return block;
  }
  if (!top) top = ((uintptr_t)&__heap_base + HEAD - 1) & ~(uintptr_t)(HEAD - 1);
  uint64_t end = (uint64_t)top + ((uint64_t)1 << power), available = (uint64_t)__builtin_wasm_memory_size(0) * PAGE;
  if (end > available && __builtin_wasm_memory_grow(0, (size_t)((end - available + PAGE - 1) / PAGE)) == (size_t)-1)
    return 0;
  void *block = (void *)top;
  top = (uintptr_t)end;
  return block;
}

int posix_memalign(void **out, size_t alignment, size_t bytes) {
  const int none = 12; /* ENOMEM */
  if (alignment > HEAD || bytes > ((size_t)1 << MOST) - HEAD) return none;
  unsigned power = LEAST;
  while (((size_t)1 << power) < bytes + HEAD) power++;
  unsigned char *block = take_block(power);
  if (!block) return none;
  *(unsigned *)block = power;
  *out = block + HEAD;
  return 0;
}

void free(void *memory) {
  if (!memory) return;
  void **block = (void **)((unsigned char *)memory - HEAD);
  unsigned power = *(unsigned *)block;
  *block = freed[power];
  freed[power] = block;
}

int memcmp(const void *first, const void *second, size_t count) {
  const unsigned char *a = first, *b = second;
  for (; count; count--, a++, b++)
    if (*a != *b) return *a - *b;
  return 0;
}

/* Rounds to the nearest integer, halves away from zero. The difference is exact, so the result is that of C's round. */
double round(double x) {
  double whole = __builtin_trunc(x);
  return __builtin_fabs(x - whole) >= 0.5 ? whole + __builtin_copysign(1, x) : whole;
}

/* Not random: it only seeds hash tables, and nothing may depend on the order of their elements. */
void arc4random_buf(void *out, size_t count) {
  for (size_t i = 0; i < count; i++) ((unsigned char *)out)[i] = (unsigned char)(i * 37 + 11);
}
