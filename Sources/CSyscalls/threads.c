#include <dlfcn.h>
#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>
#include "threads.h"

/* A thread whose stack has overflowed has no room for a signal handler: the kernel would end the process without
   running one, and the lights would stay on. So every thread needs an alternate signal stack (sigaltstack). Libraries
   such as libjack, NIO, Dispatch and FFmpeg create threads, too. Therefore this program defines pthread_create, which
   takes precedence over that of the C library. Threads that the C library starts by itself (SIGEV_THREAD, thrd_create)
   have no such stack; the program uses neither. */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t stack_of_thread;
static int has_key;
static size_t guard, room; /* bytes of the guard page, and of the signal stack above it */
static int (*next_create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

/* Destructor of the key: frees the signal stack when a thread ends or is cancelled. */
static void free_stack(void *memory) {
  stack_t none = {.ss_flags = SS_DISABLE};
  sigaltstack(&none, NULL);
  munmap(memory, guard + room);
}

static void initialize(void) {
  guard = (size_t)sysconf(_SC_PAGESIZE);
  /* 64 KB for the handlers of crash.c and of Swift's runtime, which starts its backtracer. The kernel's signal frame
     takes AT_MINSIGSTKSZ bytes, more with wide vector registers. */
  room = 64 * 1024;
  while (room < 4 * getauxval(AT_MINSIGSTKSZ)) room *= 2;
  has_key = pthread_key_create(&stack_of_thread, free_stack) == 0;
  next_create = (int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))dlsym(RTLD_NEXT, "pthread_create");
}

/* Allocates a signal stack with a guard page below it; NULL if there is no memory. */
static char *allocate_stack(void) {
  char *memory = mmap(NULL, guard + room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) return NULL;
  if (mprotect(memory, guard, PROT_NONE) == 0) return memory;
  munmap(memory, guard + room);
  return NULL;
}

static void install_stack(char *memory) {
  stack_t stack = {.ss_sp = memory + guard, .ss_size = room};
  if (pthread_setspecific(stack_of_thread, memory) == 0) {
    sigaltstack(&stack, NULL);
  } else {
    munmap(memory, guard + room);
  }
}

void vg_take_signal_stack(void) {
  pthread_once(&once, initialize);
  if (!has_key || pthread_getspecific(stack_of_thread)) return;
  char *memory = allocate_stack();
  if (memory) install_stack(memory);
}

/* The sanitizers need their own pthread_create. */
#if !__has_feature(thread_sanitizer) && !__has_feature(address_sanitizer)

struct start {
  void *(*body)(void *);
  void *argument;
};

static void *run_thread(void *memory) {
  struct start start = *(struct start *)((char *)memory + guard);
  install_stack(memory);
  /* A tail call: no frame of this function stays on the stack, for debuggers and for the unwinding of a cancelled
     thread. */
  __attribute__((musttail)) return start.body(start.argument);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument) {
  pthread_once(&once, initialize);
  if (!next_create || !has_key) return EAGAIN;
  /* The caller allocates the stack, so that no thread starts without one. Until the thread runs, the stack's memory
     holds the thread's body and argument. */
  char *memory = allocate_stack();
  if (!memory) return EAGAIN;
  *(struct start *)(memory + guard) = (struct start){body, argument};
  int number = next_create(thread, attributes, run_thread, memory);
  if (number != 0) munmap(memory, guard + room);
  return number;
}

#endif

static void *wait_for_release(void *gate) {
  while (sem_wait(gate) != 0) {}
  return NULL;
}

int vg_possible_threads(int count) {
  pthread_t threads[count];
  sem_t gate;
  sem_init(&gate, 0, 0);
  int started = 0;
  while (started < count && pthread_create(&threads[started], NULL, wait_for_release, &gate) == 0) started++;
  for (int i = 0; i < started; i++) sem_post(&gate);
  for (int i = 0; i < started; i++) pthread_join(threads[i], NULL);
  sem_destroy(&gate);
  return started;
}
