#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>
#include "system.h"

int vg_semaphore_wait(sem_t *semaphore, const struct timespec *until) {
  for (;;) {
    if (sem_clockwait(semaphore, CLOCK_MONOTONIC, until) == 0) return 1;
    if (errno != EINTR) return 0;
  }
}

int vg_thread_join(pthread_t thread, const struct timespec *until) {
  return pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, until) == 0;
}

void vg_thread_name(const char *name) {
  char kept[16] = {0};
  strncpy(kept, name, sizeof kept - 1);
  pthread_setname_np(pthread_self(), kept);
}

void vg_thread_finest_timers(void) { prctl(PR_SET_TIMERSLACK, 1); }

int vg_pipe(int ends[2], int flags) { return pipe2(ends, O_CLOEXEC | flags); }

void vg_return_large_blocks(void) {
#ifdef __GLIBC__
  /* The limit that glibc begins with. Where nobody sets it, it rises to the largest block that was ever freed, up to 32 MB:
     then blocks below it lie in the heaps, and the pieces that are free between others are never given back. */
  mallopt(M_MMAP_THRESHOLD, 128 * 1024);
#endif
}
