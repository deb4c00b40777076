/* JACK's own share: a client with N inputs, all connected to one port as those of the others are, that does nothing.
   idle NAME INPUTS SOURCE, ends with SIGTERM. */
#include <jack/jack.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int process(jack_nframes_t count, void *context) {
  (void)count;
  (void)context;
  return 0;
}

int main(int argc, char **argv) {
  if (argc != 4) return 64;
  jack_client_t *client = jack_client_open(argv[1], JackNoStartServer, NULL);
  if (!client) return 1;
  jack_set_process_callback(client, process, NULL);
  int inputs = atoi(argv[2]);
  for (int i = 1; i <= inputs; i++) {
    char name[32];
    snprintf(name, sizeof name, "in_%d", i);
    if (!jack_port_register(client, name, JACK_DEFAULT_AUDIO_TYPE, JackPortIsInput, 0)) return 1;
  }
  if (jack_activate(client)) return 1;
  for (int i = 1; i <= inputs; i++) {
    char own[64];
    snprintf(own, sizeof own, "%s:in_%d", argv[1], i);
    if (jack_connect(client, argv[3], own)) return 1;
  }
  for (;;) pause();
}
