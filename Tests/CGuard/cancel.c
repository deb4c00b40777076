#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>
#include "CGuard.h"

/* What a thread that is to be canceled shares with the one that cancels it. */
typedef struct guard_canceled {
  int milliseconds, pipe[2];
  atomic_int has_begun, has_computed;
} guard_canceled;

static void *compute_and_read(void *argument) {
  guard_canceled *shared = argument;
  struct timespec begin, now;
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
  clock_gettime(CLOCK_MONOTONIC, &begin);
  atomic_store(&shared->has_begun, 1);
  do {
    clock_gettime(CLOCK_MONOTONIC, &now);
  } while ((now.tv_sec - begin.tv_sec) * 1000 + (now.tv_nsec - begin.tv_nsec) / 1000000 < shared->milliseconds);
  atomic_store(&shared->has_computed, 1);
  char byte;
  while (read(shared->pipe[0], &byte, 1) != 0) {}
  return NULL;
}

int guard_computes_before_cancel(int milliseconds) {
  guard_canceled shared = {.milliseconds = milliseconds};
  pthread_t thread;
  void *result = NULL;
  if (pipe(shared.pipe) != 0 || pthread_create(&thread, NULL, compute_and_read, &shared) != 0) return -1;
  while (!atomic_load(&shared.has_begun)) usleep(100);
  pthread_cancel(thread);
  pthread_join(thread, &result);
  close(shared.pipe[0]);
  close(shared.pipe[1]);
  return result == PTHREAD_CANCELED ? atomic_load(&shared.has_computed) : -1;
}
