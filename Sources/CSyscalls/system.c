#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <sched.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>
#include "system.h"

int vg_semaphore_wait(sem_t *semaphore, const struct timespec *until) {
  for (;;) {
    if (sem_clockwait(semaphore, CLOCK_MONOTONIC, until) == 0) return 1;
    if (errno != EINTR) return 0;
  }
}

int vg_thread_join(pthread_t thread, const struct timespec *until) {
#if defined(__has_feature) && __has_feature(thread_sanitizer)
  // ThreadSanitizer does not intercept pthread_clockjoin_np and would report a later thread that reuses the same
  // memory, so this build joins by the wall clock.
  struct timespec now, moment;
  clock_gettime(CLOCK_MONOTONIC, &now);
  clock_gettime(CLOCK_REALTIME, &moment);
  long long left = (until->tv_sec - now.tv_sec) * 1000000000LL + until->tv_nsec - now.tv_nsec;
  long long end = moment.tv_sec * 1000000000LL + moment.tv_nsec + left;
  moment.tv_sec = end / 1000000000LL;
  moment.tv_nsec = end % 1000000000LL;
  return pthread_timedjoin_np(thread, NULL, &moment) == 0;
#else
  return pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, until) == 0;
#endif
}

void vg_thread_name(const char *name) {
  char kept[16] = {0};
  strncpy(kept, name, sizeof kept - 1);
  pthread_setname_np(pthread_self(), kept);
}

void vg_thread_finest_timers(void) { prctl(PR_SET_TIMERSLACK, 1); }

void vg_thread_real_time(int priority) {
  struct sched_param wanted = {.sched_priority = priority};
  pthread_setschedparam(pthread_self(), SCHED_FIFO | SCHED_RESET_ON_FORK, &wanted);
}

int vg_pipe(int ends[2], int flags) { return pipe2(ends, O_CLOEXEC | flags); }

int vg_redirect(int descriptor, int other) { return dup3(other, descriptor, O_CLOEXEC); }

int vg_open_unnamed(const char *folder, mode_t mode) {
  return open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
}

int vg_lock_file(int descriptor) { return flock(descriptor, LOCK_EX | LOCK_NB); }

void vg_unlock_file(int descriptor) { flock(descriptor, LOCK_UN); }

int vg_may_run_in_real_time(int priority) {
  int policy;
  struct sched_param before, wanted = {.sched_priority = priority};
  if (pthread_getschedparam(pthread_self(), &policy, &before) != 0) return 0;
  if (pthread_setschedparam(pthread_self(), SCHED_FIFO, &wanted) != 0) return 0;
  pthread_setschedparam(pthread_self(), policy, &before);
  return 1;
}

int vg_may_lock(size_t bytes) {
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return 0;
  int may = mlock2(memory, bytes, MLOCK_ONFAULT) == 0;
  munmap(memory, bytes);
  return may;
}

void vg_save_addresses(void) {
#ifdef __GLIBC__
  struct rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) mallopt(M_ARENA_MAX, 1);
#endif
}

void vg_return_large_blocks(void) {
#ifdef __GLIBC__
  /* glibc's initial threshold. Unless it is set, it rises to the largest block that was ever freed, up to 32 MB.
     Smaller blocks are then allocated in heaps, which do not return free pieces between used ones to the system. */
  mallopt(M_MMAP_THRESHOLD, 128 * 1024);
#endif
}

static int argument_count;
static char **arguments;

/* Keeps the arguments, which glibc passes to constructors as well. Swift has copied none of them yet. */
__attribute__((constructor)) static void keep_arguments(int count, char **values, char **environment) {
  (void)environment;
  argument_count = count;
  arguments = values;
}

char *vg_argument(int index) { return index >= 0 && index < argument_count ? arguments[index] : NULL; }

/* The most messages in one sendmmsg call. */
enum { MESSAGES = 16 };

/* Returns how many of the first datagrams may be sent as one UDP_SEGMENT message, at most `most`. All must have the
   size of the first; only the last may be smaller. */
static size_t joinable_count(const struct iovec *datagrams, size_t count, size_t most) {
  size_t run = 1, size = datagrams[0].iov_len;
  while (run < count && run < most && datagrams[run - 1].iov_len == size && datagrams[run].iov_len <= size &&
         datagrams[run].iov_len > 0)
    run++;
  return run;
}

size_t vg_send_datagrams(int descriptor, const struct iovec *datagrams, size_t count, size_t joined) {
  size_t done = 0;
  while (done < count) {
    struct mmsghdr messages[MESSAGES] = {0};
    _Alignas(struct cmsghdr) char controls[MESSAGES][CMSG_SPACE(sizeof(uint16_t))] = {0};
    size_t filled = 0;
    unsigned number = 0;
    for (; number < MESSAGES && done + filled < count; number++) {
      const struct iovec *first = datagrams + done + filled;
      size_t run = joinable_count(first, count - done - filled, joined);
      struct msghdr *message = &messages[number].msg_hdr;
      message->msg_iov = (struct iovec *)first;
      message->msg_iovlen = run;
      filled += run;
      if (run == 1) continue;
      message->msg_control = controls[number];
      message->msg_controllen = sizeof controls[number];
      struct cmsghdr *control = CMSG_FIRSTHDR(message);
      control->cmsg_level = IPPROTO_UDP;
      control->cmsg_type = UDP_SEGMENT;
      control->cmsg_len = CMSG_LEN(sizeof(uint16_t));
      uint16_t size = (uint16_t)first->iov_len;
      memcpy(CMSG_DATA(control), &size, sizeof size);
    }
    int sent = sendmmsg(descriptor, messages, number, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent <= 0) return done;
    for (int message = 0; message < sent; message++) done += messages[message].msg_hdr.msg_iovlen;
  }
  return done;
}

int vg_cuts_datagrams(int descriptor) {
  int size;
  socklen_t length = sizeof size;
  return getsockopt(descriptor, IPPROTO_UDP, UDP_SEGMENT, &size, &length) == 0;
}
