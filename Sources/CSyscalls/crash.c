#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>
#include "threads.h"

/* A program that crashes must not leave the lights as they are. The thread that has crashed waits a moment until another has
   put them out, has the runtime tell where it happened, and ends the process by the signal it crashed with. In C, and with what
   POSIX lists as safe in a handler alone: whatever locks the thread held it holds for ever. */

static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS, SIGQUIT};
enum { crash_count = sizeof crashes / sizeof *crashes };
/* What was there before: the runtime's own handlers, or the system's way. */
static struct sigaction before[crash_count];
/* The first thread that has crashed, and the one that waits for it; 0: none. */
static _Atomic pthread_t crashed, watcher;
static atomic_bool is_expected, is_dark;
static sem_t fell;
/* How long a crash waits for the lights, which a busy machine may need; and what it takes at most in all, in seconds: a trace
   that nobody reads does not end. */
enum { patience = 1, limit = 20 };
static volatile sig_atomic_t signal_of_crash;

static double seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

static void unblock(int signal) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

static void restore_default(int signal) {
  struct sigaction usual = {.sa_handler = SIG_DFL};
  sigaction(signal, &usual, NULL);
}

/* The end, whatever the trace does. */
static _Noreturn void finish(int unused) {
  int signal = signal_of_crash;
  (void)unused;
  restore_default(signal);
  unblock(signal);
  raise(signal);
  _exit(128 + signal);
}

/* All other threads may be held up by the trace, and hold the alarm back then: it comes to this one. */
static void limit_time(void) {
  struct sigaction action = {.sa_handler = finish};
  sigaction(SIGALRM, &action, NULL);
  unblock(SIGALRM);
  alarm(limit);
}

static void wait_for_dark(void) {
  if (!atomic_load(&is_expected)) return;
  sem_post(&fell);
  for (double end = seconds() + patience; !atomic_load(&is_dark) && seconds() < end;) poll(NULL, 0, 5);
}

/* The trace, if the runtime writes one, and the end. */
static _Noreturn void end(int signal, siginfo_t *information, void *context) {
  struct sigaction trace = {.sa_handler = SIG_DFL};
  for (int i = 0; i < crash_count; i++) {
    if (crashes[i] == signal) trace = before[i];
    /* A crash of the trace is not to come here again. */
    restore_default(crashes[i]);
  }
  if (trace.sa_flags & SA_SIGINFO) trace.sa_sigaction(signal, information, context);
  /* It comes back, as the instruction that faulted does the rest when it runs again. A signal of another process, abort() and
     traps have no such instruction: without this the process would live on. */
  finish(0);
}

static void crash(int signal, siginfo_t *information, void *context) {
  pthread_t self = pthread_self(), first = 0;
  if (atomic_compare_exchange_strong(&crashed, &first, self)) {
    signal_of_crash = signal;
    limit_time();
    wait_for_dark();
  } else if (first != self) {
    /* The first ends the process. Where this is the thread that puts the lights out there is nothing left to wait for. */
    if (self == atomic_load(&watcher)) atomic_store(&is_dark, 1);
    for (;;) poll(NULL, 0, 1000);
  }
  end(signal, information, context);
}

void vg_watch_crashes(void) {
  sem_init(&fell, 0, 0);
  struct sigaction action = {.sa_sigaction = crash, .sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK | SA_RESTART};
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < crash_count; i++) sigaction(crashes[i], &action, &before[i]);
}

void vg_expect_dark(void) { atomic_store(&is_expected, 1); }

void vg_wait_for_crash(void) {
  atomic_store(&watcher, pthread_self());
  while (sem_wait(&fell) != 0) {}
}

void vg_crash_is_dark(void) { atomic_store(&is_dark, 1); }

_Noreturn void vg_crash(int signal) {
  unblock(signal);
  raise(signal);
  _exit(128 + signal);
}

int vg_has_crashed(pthread_t thread) { return atomic_load(&crashed) == thread; }
