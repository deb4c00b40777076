#include <signal.h>
#include <stddef.h>

/* A sound server that a test ends, or a page that it closes, leaves a socket that nobody reads: who writes there gets EPIPE, as
   in the program, which ignores SIGPIPE. A handler, and not SIG_IGN: programs that tests start begin as from a shell. */

static void none(int signal) { (void)signal; }

__attribute__((constructor)) static void take_broken_pipes(void) {
  struct sigaction action = {.sa_handler = none, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  sigaction(SIGPIPE, &action, NULL);
}
