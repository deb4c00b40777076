/* Measures the least cost of sending 256 universes: COUNT prepared packets of sACN to 127.0.0.1:PORT, RATE times a
   second, with only their sequence numbers changed. universes COUNT RATE PORT, ends with SIGTERM. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

enum { SIZE = 638, SEQUENCE = 111, MOST = 1024 };

static uint8_t packets[MOST][SIZE];

int main(int argc, char **argv) {
  if (argc != 4) return 64;
  int count = atoi(argv[1]), rate = atoi(argv[2]);
  if (count < 1 || count > MOST || rate < 1) return 64;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(argv[3]))};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int descriptor = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
  if (descriptor < 0 || connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0) return 1;
  struct timespec next;
  clock_gettime(CLOCK_MONOTONIC, &next);
  for (uint8_t number = 0;; number++) {
    for (int i = 0; i < count; i++) {
      packets[i][SEQUENCE] = number;
      memset(packets[i] + 126, number, 512);
      send(descriptor, packets[i], SIZE, MSG_DONTWAIT | MSG_NOSIGNAL);
    }
    next.tv_nsec += 1000000000 / rate;
    if (next.tv_nsec >= 1000000000) {
      next.tv_nsec -= 1000000000;
      next.tv_sec++;
    }
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
  }
}
