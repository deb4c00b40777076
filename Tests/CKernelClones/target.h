/* TARGET, for the processor of a LEVEL of x86-64: 1 is any. */
#if LEVEL == 3 && defined(__x86_64__)
#define TARGET __attribute__((target("arch=x86-64-v3")))
#elif LEVEL == 4 && defined(__x86_64__)
#define TARGET __attribute__((target("arch=x86-64-v4")))
#else
#define TARGET
#endif
