/* A recorder: a client with N inputs that keeps all samples of some seconds and the start of each cycle, then writes both
   to a file and ends. tape NAME INPUTS SECONDS FILE.

   The file: the number of samples of an input (uint64) and of cycles (uint64); for each cycle its start in microseconds
   of the monotonic clock (uint64) and its first sample (uint64); then the samples, input by input, as 32-bit floats. */
#include <jack/jack.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST_INPUTS = 8 };

static jack_client_t *client;
static jack_port_t *ports[MOST_INPUTS];
static float *lanes[MOST_INPUTS];
static uint64_t *cycles;
static int inputs;
static size_t room, cycle_room, recorded, cycle_count;
static atomic_int is_over;

static int process(jack_nframes_t count, void *context) {
  (void)context;
  if (atomic_load_explicit(&is_over, memory_order_relaxed)) return 0;
  if (recorded + count > room || cycle_count == cycle_room) {
    atomic_store(&is_over, 1);
    return 0;
  }
  jack_nframes_t frames;
  jack_time_t begin, next;
  float length;
  if (jack_get_cycle_times(client, &frames, &begin, &next, &length)) return 0;
  for (int i = 0; i < inputs; i++)
    memcpy(lanes[i] + recorded, jack_port_get_buffer(ports[i], count), count * sizeof(float));
  /* JACK may use another clock. */
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  uint64_t microseconds = (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
  cycles[2 * cycle_count] = microseconds - (jack_get_time() - begin);
  cycles[2 * cycle_count + 1] = recorded;
  recorded += count;
  cycle_count++;
  return 0;
}

/* Touches the memory before the first cycle, so that no cycle has page faults. */
static void *touched(size_t size) {
  void *memory = malloc(size);
  if (!memory) exit(1);
  memset(memory, 1, size);
  return memory;
}

int main(int argc, char **argv) {
  if (argc != 5) return 64;
  inputs = atoi(argv[2]);
  if (inputs < 1 || inputs > MOST_INPUTS) return 64;
  client = jack_client_open(argv[1], JackNoStartServer, NULL);
  if (!client) return 1;
  room = (size_t)(atof(argv[3]) * jack_get_sample_rate(client));
  cycle_room = room / jack_get_buffer_size(client) + 1;
  cycles = touched(2 * cycle_room * sizeof *cycles);
  for (int i = 0; i < inputs; i++) {
    char name[32];
    snprintf(name, sizeof name, "in_%d", i + 1);
    lanes[i] = touched(room * sizeof(float));
    ports[i] = jack_port_register(client, name, JACK_DEFAULT_AUDIO_TYPE, JackPortIsInput, 0);
    if (!ports[i]) return 1;
  }
  jack_set_process_callback(client, process, NULL);
  if (jack_activate(client)) return 1;
  while (!atomic_load(&is_over)) usleep(10000);
  jack_client_close(client);
  FILE *file = fopen(argv[4], "wb");
  if (!file) return 1;
  uint64_t head[2] = {recorded, cycle_count};
  fwrite(head, sizeof *head, 2, file);
  fwrite(cycles, sizeof *cycles, 2 * cycle_count, file);
  for (int i = 0; i < inputs; i++) fwrite(lanes[i], sizeof(float), recorded, file);
  return fclose(file) ? 1 : 0;
}
