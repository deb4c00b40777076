#define LEVEL 3
#if defined(__x86_64__)
#define TARGET __attribute__((target("arch=x86-64-v3")))
#else
#define TARGET
#endif
#include "clone.inc"
