#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* libjack ends its threads by asynchronous cancellation: at any instruction, also while they hold `fSynchroMutex`, for
   which JackClient::Close waits right afterwards, or a lock of malloc. The process, or all of its clients, would hang.
   So the program has its own `pthread_cancel`, which libjack finds because it is exported: it waits until the thread
   sleeps in a read, as between two notifications, or in a futex, as between two cycles. */

/* In ms. After it the thread is canceled wherever it is, such as in another system call. */
enum { sleep_timeout = 200 };

/* Whether a thread of this process sleeps where it holds no lock; also true if the system does not tell. */
static bool is_asleep(pid_t thread) {
  char path[64], text[96], *rest;
  snprintf(path, sizeof path, "/proc/self/task/%d/syscall", (int)thread);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return true;
  ssize_t count = read(file, text, sizeof text - 1);
  close(file);
  if (count <= 0) return true;
  text[count] = 0;
  /* The number of the system call and its arguments; "running" if it sleeps in none. */
  long call = strtol(text, &rest, 10);
  if (rest == text) return false;
  if (call != SYS_futex) return call == SYS_read;
  unsigned long arguments[3];
  for (int i = 0; i < 3; i++) arguments[i] = strtoul(rest, &rest, 16);
  /* Like this glibc waits for a mutex or a lock of malloc, perhaps with another one held. */
  return !(arguments[1] == FUTEX_WAIT_PRIVATE && arguments[2] == 2);
}

static void wait_for_sleep(pthread_t thread) {
  clockid_t clock;
  int state;
  if (pthread_getcpuclockid(thread, &clock) != 0) return;
  /* Linux's clock of a thread holds the complement of its number above three bits (posix-timers_types.h). */
  pid_t number = (pid_t)~((int)clock >> 3);
  /* `pthread_cancel` must be no cancellation point, and these calls are. */
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
  for (int waited = 0; waited < sleep_timeout && !is_asleep(number); waited++) poll(NULL, 0, 1);
  pthread_setcancelstate(state, NULL);
}

int pthread_cancel(pthread_t thread) {
  int (*next)(pthread_t) = (int (*)(pthread_t))dlsym(RTLD_NEXT, "pthread_cancel");
  if (!next) return ENOSYS;
  wait_for_sleep(thread);
  return next(thread);
}
