#pragma once
#include <pthread.h>

#pragma clang assume_nonnull begin

/* Gives the calling thread an alternate signal stack, unless this module has given it one. The stack is freed when the
   thread ends. Only the main thread needs this call: all others have a stack from their start, unless a sanitizer is
   in use (see threads.c). */
void vg_take_signal_stack(void);
/* Returns how many more threads the process can have at a time, at most `count`. It starts that many idle threads and
   ends them. They allocate nothing, because a heap for them would count against the same memory limit. */
int vg_possible_threads(int count);

/* Crashes: crash.c describes how the process ends then. */

/* Installs the handlers of deadly signals, which end the process by the signal that they handle, even if another
   process sent it. Call it once. */
void vg_watch_crashes(void);
/* Makes crashes wait until the lights are out, even if the thread that puts them out has not run yet. */
void vg_expect_dark(void);

/* Returns when a thread has crashed. That thread then waits for `vg_crash_is_dark`, at most 1 s. Only one thread may
   call this. */
void vg_wait_for_crash(void);
/* Reports that the lights are out: the thread that has crashed goes on and ends the process. */
void vg_crash_is_dark(void);
/* Ends the process by a signal, as if the calling thread had crashed with it. */
_Noreturn void vg_crash(int signal);
/* Whether a thread is the one that has crashed; it never goes on. */
int vg_has_crashed(pthread_t thread);

#pragma clang assume_nonnull end
