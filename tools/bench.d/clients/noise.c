/* A source for measurements: a client with one output of white noise with a varying level, so that every frame has
   different levels. noise NAME, ends with SIGTERM. */
#include <jack/jack.h>
#include <stdint.h>
#include <unistd.h>

static jack_port_t *port;
static uint32_t seed = 1;
static float level = 0.5f;

static float next(void) {
  seed = seed * 1664525u + 1013904223u;
  return (float)(int32_t)seed * 0x1p-31f;
}

static int process(jack_nframes_t count, void *context) {
  (void)context;
  float *out = jack_port_get_buffer(port, count);
  level += 0.05f * next();
  if (level < 0.1f || level > 0.9f) level = 0.5f;
  for (jack_nframes_t i = 0; i < count; i++) out[i] = level * next();
  return 0;
}

int main(int argc, char **argv) {
  if (argc != 2) return 64;
  jack_client_t *client = jack_client_open(argv[1], JackNoStartServer, NULL);
  if (!client) return 1;
  port = jack_port_register(client, "out", JACK_DEFAULT_AUDIO_TYPE, JackPortIsOutput, 0);
  jack_set_process_callback(client, process, NULL);
  if (!port || jack_activate(client)) return 1;
  for (;;) pause();
}
