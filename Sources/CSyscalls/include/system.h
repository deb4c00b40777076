#pragma once
#include <pthread.h>
#include <semaphore.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>

#pragma clang assume_nonnull begin

/* System calls that Swift does not import: those behind _GNU_SOURCE, and variadic ones. None may be called in the audio
   callback. Those of threads and crashes are in threads.h, C++'s `operator delete` in deferred_delete.h. */

/* Waits for a post, at most until a time of the monotonic clock. Returns 1 after a post, 0 at the timeout. */
int vg_semaphore_wait(sem_t *semaphore, const struct timespec *until);
/* Joins a thread; waits at most until a time of the monotonic clock. Returns 1 if the thread has ended, 0 at the
   timeout. */
int vg_thread_join(pthread_t thread, const struct timespec *until);
/* Names the calling thread; Linux keeps the first 15 bytes. */
void vg_thread_name(const char *name);
/* Sets the timer slack of the calling thread to 1 ns, so that the kernel does not delay its timers to coalesce them. */
void vg_thread_finest_timers(void);
/* Gives the calling thread a priority of SCHED_FIFO, if that is allowed. Threads that it starts, itself or by
   Dispatch, do not inherit it. */
void vg_thread_real_time(int priority);
/* Opens a pipe with O_CLOEXEC, so that a program that another thread starts meanwhile does not inherit it. Returns 0,
   or -1 with errno set. */
int vg_pipe(int ends[_Nonnull 2], int flags);
/* Lets `descriptor` refer to what `other` refers to, in one step and with O_CLOEXEC. Returns `descriptor`, or -1 with
   errno set. */
int vg_redirect(int descriptor, int other);
/* Whether the calling thread may have a priority of SCHED_FIFO. Its own scheduling stays as it is. */
int vg_may_run_in_real_time(int priority);
/* Whether `bytes` bytes may be locked in memory (RLIMIT_MEMLOCK). Touches no page. */
int vg_may_lock(size_t bytes);
/* Opens an unnamed file (O_TMPFILE) in a folder, for writing. Returns the descriptor, or -1 with errno set. */
int vg_open_unnamed(const char *folder, mode_t mode);
/* Takes an exclusive lock (flock) on an open file, without waiting. Returns 0, or -1 with errno set. */
int vg_lock_file(int descriptor);
/* Releases the lock of a file, even if a process that is being started still has a copy of the descriptor. */
void vg_unlock_file(int descriptor);
/* The memory of a command-line argument, which other processes see in /proc/PID/cmdline; NULL after the last. */
char *_Nullable vg_argument(int index);
/* Makes all threads share one heap if address space is limited (RLIMIT_AS), because glibc reserves 64 MB for each
   further heap. Call it before threads are started. */
void vg_save_addresses(void);
/* Makes glibc return blocks of memory from 128 KB on to the system whenever they are freed. */
void vg_return_large_blocks(void);
/* Sends datagrams through a connected socket, in order, without waiting and in as few system calls as possible. Up to
   `joined` datagrams of one size form one buffer, which the kernel cuts (UDP_SEGMENT); with `joined` 1, each is a
   buffer of its own. Returns how many were sent; if not all were, errno says why. */
size_t vg_send_datagrams(int descriptor, const struct iovec *datagrams, size_t count, size_t joined);
/* Whether the kernel supports UDP_SEGMENT for a socket. Before Linux 4.18 it does not, and would send the whole buffer
   as one datagram without an error. */
int vg_cuts_datagrams(int descriptor);

#pragma clang assume_nonnull end
