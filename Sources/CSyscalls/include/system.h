#pragma once
#include <pthread.h>
#include <semaphore.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>

#pragma clang assume_nonnull begin

/* What Swift does not import of the system's calls: those behind _GNU_SOURCE, and those with variable arguments. None is
   for the audio callback. */

/* Waits for a post until a moment of the monotonic clock. Returns 1 when one came. */
int vg_semaphore_wait(sem_t *semaphore, const struct timespec *until);
/* Waits for the end of a thread until a moment of the monotonic clock. Returns 1 when it has ended. */
int vg_thread_join(pthread_t thread, const struct timespec *until);
/* Names the calling thread; Linux keeps 15 bytes. */
void vg_thread_name(const char *name);
/* Asks that timers of the calling thread are kept to the microsecond and not put together with others. */
void vg_thread_finest_timers(void);
/* Gives the calling thread a priority of SCHED_FIFO, where that is allowed; threads that it starts, or has started by
   Dispatch, have none. */
void vg_thread_real_time(int priority);
/* Opens a pipe that no program gets which is started at the same moment. Returns 0, else -1 and errno. */
int vg_pipe(int ends[_Nonnull 2], int flags);
/* Whether the calling thread may have a priority of SCHED_FIFO; it keeps the one it has. */
int vg_may_run_in_real_time(int priority);
/* Whether so many bytes may be kept in memory; none of them is touched. */
int vg_may_lock(size_t bytes);
/* Opens a file without a name in a folder, to be written to. Returns the descriptor, else -1 and errno. */
int vg_open_unnamed(const char *folder, mode_t mode);
/* Locks an open file for this descriptor alone, without waiting. Returns 0, else -1 and errno. */
int vg_lock_file(int descriptor);
/* Where the system keeps an argument of the command line, which others see (/proc/PID/cmdline); NULL past the last. */
char *_Nullable vg_argument(int index);
/* Where address space is limited: has all threads share one heap, as each reserves 64 MB for another. Before there are
   threads. */
void vg_save_addresses(void);
/* Has large blocks of memory given back to the system whenever they are freed. */
void vg_return_large_blocks(void);
/* Sends datagrams by a connected socket, one after another, without waiting and in as few calls as that takes. Runs of one
   size are handed over together, `joined` at most, and cut by the kernel (UDP_SEGMENT); 1: none are. Returns how many have
   gone; where it is not all, errno says why. */
size_t vg_send_datagrams(int descriptor, const struct iovec *datagrams, size_t count, size_t joined);
/* Whether the kernel cuts what is handed over together for a socket: before 4.18 it does not know of that, and would send it in
   one piece without a word. */
int vg_cuts_datagrams(int descriptor);

#pragma clang assume_nonnull end
