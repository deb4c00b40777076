#pragma once
#include <pthread.h>

#pragma clang assume_nonnull begin

/* Gives the calling thread a signal stack, unless it has one from here; it is freed when the thread ends. All but the main
   thread have theirs from the start: see threads.c. */
void vg_take_signal_stack(void);
/* How many threads the system gives the process at a time, `count` at most: they are started, do nothing, and end. They
   allocate nothing, as memory of their own for that would be taken from the limit that is looked at. */
int vg_possible_threads(int count);

/* What becomes of a process that crashes: crash.c. */

/* From now on a deadly signal ends the process by that signal, also one that another process has sent. Once. */
void vg_watch_crashes(void);
/* From now on a crash waits for the lights, also before the thread that puts them out has had a turn. */
void vg_expect_dark(void);

/* Waits until a thread crashes, which waits meanwhile until `vg_crash_is_dark`. The caller is the only thread that does. */
void vg_wait_for_crash(void);
/* Lets the thread that has crashed go on to the end of the process. */
void vg_crash_is_dark(void);
/* Ends the process by a signal as if the calling thread had crashed with it. Does not return. */
_Noreturn void vg_crash(int signal);
/* Whether a thread has crashed: it never goes on. */
int vg_has_crashed(pthread_t thread);

#pragma clang assume_nonnull end
