#pragma once
#include <semaphore.h>
#include <stdint.h>
#include <time.h>
#include "effects.h"

#pragma clang assume_nonnull begin

/* Wakes the frame thread after a cycle that has finished a frame: the one system call that a host makes in the
   callback, outside the plan. [audio] */
VG_REALTIME static inline void vg_wake(sem_t *semaphore) {
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wfunction-effects"
  sem_post(semaphore);
#pragma clang diagnostic pop
}

/* Nanoseconds of the monotonic clock, which the vDSO reads without entering the kernel. */
VG_REALTIME static inline uint64_t vg_now(void) {
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wfunction-effects"
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
#pragma clang diagnostic pop
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#pragma clang assume_nonnull end
