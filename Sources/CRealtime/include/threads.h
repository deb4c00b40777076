#pragma once
#include <pthread.h>
#include <semaphore.h>

#pragma clang assume_nonnull begin

/* What Swift does not import of the calls for threads and memory. [any] */

/* Waits for a bell, at most `seconds` by the monotonic clock. Returns 1 when it rang. */
int vg_wait(sem_t *semaphore, double seconds);
/* Waits for the end of a thread, at most `seconds`. Returns 1 when it has ended. */
int vg_join(pthread_t thread, double seconds);
/* Names the calling thread (at most 15 bytes) and asks for the finest timers. */
void vg_name_thread(const char *name);
/* Has large blocks of memory given back to the system whenever they are freed, for programs that run for weeks. */
void vg_return_large_blocks(void);

#pragma clang assume_nonnull end
