/* Measures the least cost of metering: a client with N inputs, all connected to one port, that computes the mean square
   of each and sends one OSC message of all of them RATE times a second, from a thread that the callback wakes. It has no
   graph, no settings, no reconnection and no check of samples. least NAME INPUTS SOURCE PORT RATE, ends with SIGTERM. */
#include <arpa/inet.h>
#include <jack/jack.h>
#include <math.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MOST_INPUTS = 256, LANES = 16, ADDRESS = 16 };

static jack_port_t *ports[MOST_INPUTS];
static float squares[MOST_INPUTS];
static int inputs, target;
static jack_nframes_t due, frame;
static sem_t ended;

/* Sums in separate lanes, so that the compiler may vectorize without changing the order of additions. */
static float sum_of_squares(const float *samples, jack_nframes_t count) {
  float lanes[LANES] = {0}, sum = 0;
  jack_nframes_t i = 0;
  for (; i + LANES <= count; i += LANES)
    for (int k = 0; k < LANES; k++) lanes[k] += samples[i + k] * samples[i + k];
  for (; i < count; i++) sum += samples[i] * samples[i];
  for (int k = 0; k < LANES; k++) sum += lanes[k];
  return sum;
}

static int process(jack_nframes_t count, void *context) {
  (void)context;
  for (int i = 0; i < inputs; i++) squares[i] += sum_of_squares(jack_port_get_buffer(ports[i], count), count);
  due += count;
  if (due >= frame) {
    due -= frame;
    sem_post(&ended);
  }
  return 0;
}

/* The address, the types, then the levels in decibels; all big-endian, in steps of four bytes. */
static void *sender(void *context) {
  static char message[ADDRESS + MOST_INPUTS + 8 + 4 * MOST_INPUTS];
  (void)context;
  strcpy(message, "/visgraph/rig");
  message[ADDRESS] = ',';
  memset(message + ADDRESS + 1, 'f', (size_t)inputs);
  const size_t levels = ADDRESS + ((size_t)inputs + 1) / 4 * 4 + 4;
  for (;;) {
    sem_wait(&ended);
    for (int i = 0; i < inputs; i++) {
      const float level = 10 * log10f(squares[i] / (float)frame + 1e-16f);
      uint32_t bits;
      squares[i] = 0;
      memcpy(&bits, &level, 4);
      bits = htonl(bits);
      memcpy(message + levels + 4 * (size_t)i, &bits, 4);
    }
    send(target, message, levels + 4 * (size_t)inputs, MSG_DONTWAIT | MSG_NOSIGNAL);
  }
  return NULL;
}

int main(int argc, char **argv) {
  if (argc != 6) return 64;
  inputs = atoi(argv[2]);
  if (inputs < 1 || inputs > MOST_INPUTS) return 64;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(argv[4]))};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  target = socket(AF_INET, SOCK_DGRAM, 0);
  if (target < 0 || connect(target, (struct sockaddr *)&address, sizeof address)) return 1;
  jack_client_t *client = jack_client_open(argv[1], JackNoStartServer, NULL);
  if (!client) return 1;
  frame = jack_get_sample_rate(client) / (jack_nframes_t)atoi(argv[5]);
  sem_init(&ended, 0, 0);
  jack_set_process_callback(client, process, NULL);
  for (int i = 1; i <= inputs; i++) {
    char name[32];
    snprintf(name, sizeof name, "in_%d", i);
    ports[i - 1] = jack_port_register(client, name, JACK_DEFAULT_AUDIO_TYPE, JackPortIsInput, 0);
    if (!ports[i - 1]) return 1;
  }
  pthread_t thread;
  if (pthread_create(&thread, NULL, sender, NULL) || jack_activate(client)) return 1;
  for (int i = 1; i <= inputs; i++) {
    char own[64];
    snprintf(own, sizeof own, "%s:in_%d", argv[1], i);
    if (jack_connect(client, argv[3], own)) return 1;
  }
  for (;;) pause();
}
