#include <signal.h>
#include <stddef.h>

/* A sound server or page that a test ends leaves a socket without a reader. A write then returns EPIPE, as in the
   program, which ignores SIGPIPE. This is a handler, and not SIG_IGN, because started programs would inherit SIG_IGN. */

static void none(int signal) { (void)signal; }

__attribute__((constructor)) static void take_broken_pipes(void) {
  struct sigaction action = {.sa_handler = none, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  sigaction(SIGPIPE, &action, NULL);
}
