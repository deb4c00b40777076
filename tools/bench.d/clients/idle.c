/* Measures JACK's own cost: a client with N inputs, all connected to one port, that does nothing. With a fourth argument
   it gets the buffer of each input, as every client that reads them has to, and does nothing with it.
   idle NAME INPUTS SOURCE [asks], ends with SIGTERM. */
#include <jack/jack.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST_INPUTS = 1024 };

static jack_port_t *ports[MOST_INPUTS];
static int inputs, asks;
static void *volatile seen;

static int process(jack_nframes_t count, void *context) {
  (void)context;
  if (asks)
    for (int i = 0; i < inputs; i++) seen = jack_port_get_buffer(ports[i], count);
  return 0;
}

int main(int argc, char **argv) {
  if (argc != 4 && argc != 5) return 64;
  inputs = atoi(argv[2]);
  asks = argc == 5;
  if (inputs < 1 || inputs > MOST_INPUTS) return 64;
  jack_client_t *client = jack_client_open(argv[1], JackNoStartServer, NULL);
  if (!client) return 1;
  jack_set_process_callback(client, process, NULL);
  for (int i = 1; i <= inputs; i++) {
    char name[32];
    snprintf(name, sizeof name, "in_%d", i);
    ports[i - 1] = jack_port_register(client, name, JACK_DEFAULT_AUDIO_TYPE, JackPortIsInput, 0);
    if (!ports[i - 1]) return 1;
  }
  if (jack_activate(client)) return 1;
  for (int i = 1; i <= inputs; i++) {
    char own[64];
    snprintf(own, sizeof own, "%s:in_%d", argv[1], i);
    if (jack_connect(client, argv[3], own)) return 1;
  }
  for (;;) pause();
}
