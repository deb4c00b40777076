/* Measures the effect of the order of two packets: one of OSC and one of sACN to ports of 127.0.0.1, one right after the
   other, 750 pairs a second in groups of four, like a show with cycles of 256 samples. In each fourth group the first
   pair has a high level. The first packet after a sleep finds cold caches. two_packets osc|dmx OSC DMX: the first word
   selects the first packet; ends with SIGTERM. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

static int connected(int port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int descriptor = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
  if (descriptor < 0 || connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0) exit(1);
  return descriptor;
}

int main(int argc, char **argv) {
  if (argc != 4) return 64;
  int isOscFirst = strcmp(argv[1], "osc") == 0, osc = connected(atoi(argv[2])), dmx = connected(atoi(argv[3]));
  static uint8_t message[28] = "/level", universe[638];
  struct timespec next;
  clock_gettime(CLOCK_MONOTONIC, &next);
  for (int number = 0;; number++) {
    float level = number % 16 == 0;
    uint32_t bits;
    memcpy(&bits, &level, 4);
    bits = htonl(bits);
    memcpy(message + 24, &bits, 4);
    universe[126] = level > 0 ? 255 : 0;
    if (isOscFirst) send(osc, message, sizeof message, MSG_DONTWAIT);
    send(dmx, universe, sizeof universe, MSG_DONTWAIT);
    if (!isOscFirst) send(osc, message, sizeof message, MSG_DONTWAIT);
    if (number % 4 != 3) continue;
    next.tv_nsec += 4 * (1000000000 / 750);
    if (next.tv_nsec >= 1000000000) {
      next.tv_nsec -= 1000000000;
      next.tv_sec++;
    }
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
  }
}
