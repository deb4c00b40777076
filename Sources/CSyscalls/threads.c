#include <dlfcn.h>
#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>
#include "threads.h"

/* A thread whose stack has overflowed has no room for a handler: the kernel ends the process without one, and the lights stay
   lit. So every thread has a second stack for signals, of its own as the kernel wants it. Libraries make threads too (libjack,
   NIO, Dispatch, FFmpeg); that all of them have one, pthread_create of this program stands before that of the C library. What
   the C library starts by itself is left out (SIGEV_THREAD, thrd_create); nothing here has it do so. */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t stack_of_thread;
static int has_key;
static size_t guard, room;
static int (*next_create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

/* At the end of a thread, be it cancelled. */
static void release(void *memory) {
  stack_t none = {.ss_flags = SS_DISABLE};
  sigaltstack(&none, NULL);
  munmap(memory, guard + room);
}

static void begin(void) {
  guard = (size_t)sysconf(_SC_PAGESIZE);
  /* What the handlers need here and in the runtime, which starts its backtracer; and what the kernel puts there, which is more
     where registers are wide. */
  room = 64 * 1024;
  while (room < 4 * getauxval(AT_MINSIGSTKSZ)) room *= 2;
  has_key = pthread_key_create(&stack_of_thread, release) == 0;
  next_create = (int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))dlsym(RTLD_NEXT, "pthread_create");
}

/* Memory of a signal stack, below it a page that nothing may touch; NULL where there is none. */
static char *allocate(void) {
  char *memory = mmap(NULL, guard + room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) return NULL;
  if (mprotect(memory, guard, PROT_NONE) == 0) return memory;
  munmap(memory, guard + room);
  return NULL;
}

static void install(char *memory) {
  stack_t stack = {.ss_sp = memory + guard, .ss_size = room};
  if (pthread_setspecific(stack_of_thread, memory) == 0) {
    sigaltstack(&stack, NULL);
  } else {
    munmap(memory, guard + room);
  }
}

void vg_take_signal_stack(void) {
  pthread_once(&once, begin);
  if (!has_key || pthread_getspecific(stack_of_thread)) return;
  char *memory = allocate();
  if (memory) install(memory);
}

/* The sanitizers have a pthread_create of their own, which they cannot do without. */
#if !__has_feature(thread_sanitizer) && !__has_feature(address_sanitizer)

struct start {
  void *(*body)(void *);
  void *argument;
};

static void *run(void *memory) {
  struct start start = *(struct start *)((char *)memory + guard);
  install(memory);
  /* In the place of this function: nothing of it is left on the stack, for debuggers and for the unwinding of a cancelled
     thread. */
  __attribute__((musttail)) return start.body(start.argument);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument) {
  pthread_once(&once, begin);
  if (!next_create || !has_key) return EAGAIN;
  /* Allocated here, so that there is no thread without it; what the thread runs lies in it until then. */
  char *memory = allocate();
  if (!memory) return EAGAIN;
  *(struct start *)(memory + guard) = (struct start){body, argument};
  int number = next_create(thread, attributes, run, memory);
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
