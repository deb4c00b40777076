#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* libjack ends its threads by asynchronous cancellation: at any instruction, also while they hold `fSynchroMutex`, for
   which JackClient::Close waits right afterwards, or a lock of malloc. The process, or all of its clients, would hang.
   So the program has its own `pthread_cancel`, which libjack finds because it is exported: it waits until the thread
   sleeps in a read, as between two notifications, or in a futex, as between two cycles. */

/* In ms. After it the thread is canceled wherever it is. */
enum { sleep_timeout = 200 };

/* The number of the system call in which a thread of this process sleeps; -1: it runs, or sleeps in none. Below that:
   the system does not tell. */
static long sleeping_call(pid_t thread) {
  char path[64], text[24], *end;
  snprintf(path, sizeof path, "/proc/self/task/%d/syscall", (int)thread);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return -2;
  ssize_t count = read(file, text, sizeof text - 1);
  close(file);
  if (count <= 0) return -2;
  text[count] = 0;
  long number = strtol(text, &end, 10);
  return end == text ? -1 : number;
}

static void wait_for_sleep(pthread_t thread) {
  clockid_t clock;
  if (pthread_getcpuclockid(thread, &clock) != 0) return;
  /* Linux's clock of a thread holds the complement of its number above three bits (posix-timers_types.h). */
  pid_t number = (pid_t)~((int)clock >> 3);
  for (int waited = 0; waited < sleep_timeout; waited++) {
    long call = sleeping_call(number);
    if (call == SYS_read || call == SYS_futex || call < -1) return;
    poll(NULL, 0, 1);
  }
}

int pthread_cancel(pthread_t thread) {
  int (*next)(pthread_t) = (int (*)(pthread_t))dlsym(RTLD_NEXT, "pthread_cancel");
  wait_for_sleep(thread);
  return next(thread);
}
