#pragma once
#include <pthread.h>

#pragma clang assume_nonnull begin

/* Gives the calling thread an alternate signal stack, unless it has one from here; it is freed when the thread ends.
   The main thread needs this call; all others have a stack from their start (see threads.c). */
void vg_take_signal_stack(void);
/* How many threads the process can have at a time, at most `count`. Starts that many, which do nothing, and ends them.
   They allocate nothing, because a heap for them would count against the same memory limit. */
int vg_possible_threads(int count);

/* How a process ends that crashes: crash.c. */

/* Installs the handlers of deadly signals: from now on such a signal, also from another process, ends the process by
   that signal. To be called once. */
void vg_watch_crashes(void);
/* From now on a crash waits until the lights are out, even before the thread that puts them out has run for the first
   time. */
void vg_expect_dark(void);

/* Returns when a thread has crashed; that thread waits until `vg_crash_is_dark`, 1 s at most. Only one thread may call
   this. */
void vg_wait_for_crash(void);
/* Reports that the lights are out: the thread that has crashed goes on and ends the process. */
void vg_crash_is_dark(void);
/* Ends the process by a signal, as if the calling thread had crashed with it. */
_Noreturn void vg_crash(int signal);
/* Whether a thread is the one that has crashed; it never goes on. */
int vg_has_crashed(pthread_t thread);

#pragma clang assume_nonnull end
