#pragma once
#include <semaphore.h>
#include <stdint.h>
#include <time.h>
#include "effects.h"

#pragma clang assume_nonnull begin

/* Posts the semaphore on which the frame thread waits. A host calls it after a cycle that has finished a frame; it is
   the only system call in the callback. sem_post does not block. [audio] */
VG_REALTIME static inline void vg_wake(sem_t *semaphore) {
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wfunction-effects"
  sem_post(semaphore);
#pragma clang diagnostic pop
}

/* Returns nanoseconds of the monotonic clock. The vDSO reads it without entering the kernel, unless the clock source is
   one that only the kernel can read, such as hpet. [audio] or [any] */
VG_REALTIME static inline uint64_t vg_now(void) {
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wfunction-effects"
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
#pragma clang diagnostic pop
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#pragma clang assume_nonnull end
