#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <time.h>
#include "threads.h"

int vg_wait(sem_t *semaphore, double seconds) {
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  long long nanoseconds = (long long)(seconds * 1e9) + until.tv_nsec;
  until.tv_sec += nanoseconds / 1000000000;
  until.tv_nsec = nanoseconds % 1000000000;
  for (;;) {
    if (sem_clockwait(semaphore, CLOCK_MONOTONIC, &until) == 0) return 1;
    if (errno != EINTR) return 0;
  }
}

int vg_join(pthread_t thread, double seconds) {
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  long long nanoseconds = (long long)(seconds * 1e9) + until.tv_nsec;
  until.tv_sec += nanoseconds / 1000000000;
  until.tv_nsec = nanoseconds % 1000000000;
  return pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &until) == 0;
}

void vg_name_thread(const char *name) {
  pthread_setname_np(pthread_self(), name);
  prctl(PR_SET_TIMERSLACK, 1);
}

void vg_return_large_blocks(void) {
#ifdef __GLIBC__
  /* The limit that glibc begins with. Where nobody sets it, it rises to the largest block that was ever freed, up to 32 MB:
     then blocks below it lie in the heaps, and the pieces that are free between others are never given back. */
  mallopt(M_MMAP_THRESHOLD, 128 * 1024);
#endif
}
