#include <dirent.h>
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "faults.h"

/* The signal that is sent to the thread. */
enum { injection = SIGPROF };

static sem_t asked;
static volatile int sink;

__attribute__((noinline)) static int dig(int depth) {
  volatile char room[1024];
  room[0] = room[1023] = (char)depth;
  if (depth < 0) return room[0];
  int reached = dig(depth + 1);
  return reached + room[1023];
}

static void overflow(int signal) { sink = dig(signal); }

static void fault(int signal) { *(volatile int *)8 = signal; }

static void ask(int signal) {
  (void)signal;
  sem_post(&asked);
}

/* Threads that block all signals wait for these. */
int pthread_sigmask(int how, const sigset_t *given, sigset_t *before) {
  int (*next)(int, const sigset_t *, sigset_t *) =
    (int (*)(int, const sigset_t *, sigset_t *))dlsym(RTLD_NEXT, "pthread_sigmask");
  if (!given || how == SIG_UNBLOCK) return next(how, given, before);
  sigset_t set = *given;
  sigdelset(&set, injection);
  sigdelset(&set, SIGURG);
  return next(how, &set, before);
}

/* The thread with this number among those whose names begin so, in the order of their creation; 0: none. */
static int find(const char *name, int number) {
  DIR *folder = opendir("/proc/self/task");
  int found = 0, least = 0;
  for (int i = 0; i <= number; i++, least = found) {
    found = 0;
    rewinddir(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
      char path[64], comm[32] = "";
      int thread = atoi(entry->d_name);
      snprintf(path, sizeof path, "/proc/self/task/%d/comm", thread);
      FILE *file = thread > least ? fopen(path, "re") : NULL;
      if (!file) continue;
      if (fgets(comm, sizeof comm, file) && strncmp(comm, name, strlen(name)) == 0 && (!found || thread < found)) found = thread;
      fclose(file);
    }
    if (!found) break;
  }
  closedir(folder);
  return found;
}

static void *inject(void *unused) {
  pthread_setname_np(pthread_self(), "injection");
  while (sem_wait(&asked) != 0) {}
  const char *name = getenv("FAULT_THREAD"), *number = getenv("FAULT_NUMBER");
  int thread;
  while ((thread = find(name, number ? atoi(number) : 0)) == 0) usleep(1000);
  tgkill(getpid(), thread, injection);
  return unused;
}

__attribute__((constructor)) static void begin(void) {
  const char *kind = getenv("FAULT_KIND");
  pthread_t thread;
  if (!kind || !getenv("FAULT_THREAD")) return;
  sem_init(&asked, 0, 0);
  /* Without SA_ONSTACK the handler uses, and overflows, the stack of the thread. */
  signal(injection, strcmp(kind, "overflow") == 0 ? overflow : fault);
  signal(SIGURG, ask);
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  if (pthread_create(&thread, NULL, inject, NULL) == 0) pthread_detach(thread);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}
