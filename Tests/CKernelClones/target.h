/* TARGET: the instruction set of an x86-64 LEVEL; 1 is baseline. */
#if LEVEL == 3 && defined(__x86_64__)
#define TARGET __attribute__((target("arch=x86-64-v3")))
#elif LEVEL == 4 && defined(__x86_64__)
#define TARGET __attribute__((target("arch=x86-64-v4")))
#else
#define TARGET
#endif
