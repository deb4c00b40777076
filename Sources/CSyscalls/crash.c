#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>
#include "threads.h"

/* A program that crashes must not leave the lights on. The crashed thread waits until another thread has put them out.
   Then it calls the handler of Swift's runtime, which prints a backtrace, and ends the process by the signal of the
   crash. The handler is written in C and calls only functions that POSIX lists as async-signal-safe, because locks that
   the crashed thread held are never released. */

static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS, SIGQUIT};
enum { crash_count = sizeof crashes / sizeof *crashes };
/* The handlers that were installed before: those of Swift's runtime, or the defaults. */
static struct sigaction before[crash_count];
/* `crashed`: the first thread that crashed. `watcher`: the thread that waits for a crash and puts the lights out. 0:
   none. */
static _Atomic pthread_t crashed, watcher;
/* `is_expected`: there will be a watcher. `is_dark`: the lights are out. */
static atomic_bool is_expected, is_dark;
static sem_t crash_posted;
/* Timeouts in seconds, for the lights to go out and for the whole crash. The second is needed because writing a
   backtrace to a pipe that is not read blocks for ever. */
enum { lights_timeout = 1, crash_timeout = 20 };
static volatile sig_atomic_t signal_of_crash;
/* The children of the crashed thread, as a file, and those that it had before the backtrace. */
enum { most_children = 64 };
static int children_file = -1, child_count;
static pid_t children[most_children];

static double monotonic_seconds(void) {
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

/* Reads the process numbers of the children of the crashed thread. Returns their count; 0 if the system does not tell. */
static int read_children(pid_t numbers[most_children]) {
  char text[1024];
  if (children_file < 0 || lseek(children_file, 0, SEEK_SET) != 0) return 0;
  ssize_t length = read(children_file, text, sizeof text);
  int count = 0;
  pid_t number = 0;
  for (ssize_t i = 0; i < length && count < most_children; i++) {
    if (text[i] >= '0' && text[i] <= '9') {
      number = 10 * number + (text[i] - '0');
    } else if (number > 0) {
      numbers[count++] = number;
      number = 0;
    }
  }
  return count;
}

static void note_children(void) {
  children_file = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
  child_count = read_children(children);
}

/* Ends the backtracer of Swift's runtime, the only child that the crashed thread has started since: it would wait for
   the memory of this process for ever. */
static void end_backtrace(void) {
  pid_t now[most_children];
  int count = read_children(now);
  for (int i = 0; i < count; i++) {
    bool is_older = false;
    for (int k = 0; k < child_count; k++) is_older |= children[k] == now[i];
    if (!is_older) kill(now[i], SIGKILL);
  }
}

/* Ends the process by the signal of the crash. */
static _Noreturn void end_by_signal(void) {
  int signal = signal_of_crash;
  restore_default(signal);
  unblock(signal);
  raise(signal);
  _exit(128 + signal);
}

static void handle_timeout(int unused) {
  (void)unused;
  end_backtrace();
  end_by_signal();
}

/* Starts the timeout of the whole crash, by SIGALRM. This thread unblocks the signal: the backtrace may suspend all
   other threads, and the signal would stay pending. */
static void start_timeout(void) {
  struct sigaction action = {.sa_handler = handle_timeout};
  sigaction(SIGALRM, &action, NULL);
  unblock(SIGALRM);
  alarm(crash_timeout);
}

static void wait_for_dark(void) {
  if (!atomic_load(&is_expected)) return;
  sem_post(&crash_posted);
  for (double end = monotonic_seconds() + lights_timeout; !atomic_load(&is_dark) && monotonic_seconds() < end;)
    poll(NULL, 0, 5);
}

/* Lets the runtime print its backtrace, if it has a handler, and ends the process. */
static _Noreturn void end_process(int signal, siginfo_t *information, void *context) {
  struct sigaction trace = {.sa_handler = SIG_DFL};
  for (int i = 0; i < crash_count; i++) {
    if (crashes[i] == signal) trace = before[i];
    /* A crash during the backtrace must not enter this handler again. */
    restore_default(crashes[i]);
  }
  if (trace.sa_flags & SA_SIGINFO) {
    note_children();
    trace.sa_sigaction(signal, information, context);
  }
  /* The runtime's handler returns, so that the faulting instruction runs again and ends the process. After a signal
     from another process, abort() or a trap there is no such instruction, and the process would go on. */
  end_by_signal();
}

static void handle_crash(int signal, siginfo_t *information, void *context) {
  pthread_t self = pthread_self(), first = 0;
  if (atomic_compare_exchange_strong(&crashed, &first, self)) {
    signal_of_crash = signal;
    start_timeout();
    wait_for_dark();
  } else if (first != self) {
    /* The first thread that crashed ends the process. If this second one should put the lights out, the first need not
       wait for it. */
    if (self == atomic_load(&watcher)) atomic_store(&is_dark, 1);
    for (;;) poll(NULL, 0, 1000);
  }
  end_process(signal, information, context);
}

void vg_watch_crashes(void) {
  sem_init(&crash_posted, 0, 0);
  struct sigaction action = {
    .sa_sigaction = handle_crash, .sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK | SA_RESTART};
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < crash_count; i++) sigaction(crashes[i], &action, &before[i]);
}

void vg_expect_dark(void) { atomic_store(&is_expected, 1); }

void vg_wait_for_crash(void) {
  atomic_store(&watcher, pthread_self());
  while (sem_wait(&crash_posted) != 0) {}
}

void vg_crash_is_dark(void) { atomic_store(&is_dark, 1); }

_Noreturn void vg_crash(int signal) {
  unblock(signal);
  raise(signal);
  _exit(128 + signal);
}

int vg_has_crashed(pthread_t thread) { return atomic_load(&crashed) == thread; }
