#pragma once
#include <errno.h>
#include <jack/jack.h>
#include <jack/metadata.h>
#include <jack/thread.h>
#include <jack/transport.h>
#include <jack/uuid.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

#pragma clang assume_nonnull begin

/* The same two attributes as in CRealtime's effects.h: Swift's audit reads the first, clang's the second. */
#define VG_JACK_REALTIME __attribute__((swift_attr("@_noLocks"))) __attribute__((nonblocking))

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wfunction-effects"

/* The samples of a port in the running cycle. JACK promises that asking for them may be done in the callback. */
VG_JACK_REALTIME static inline float *_Nullable vg_jack_buffer(void *port, uint32_t count) {
  return (float *)jack_port_get_buffer((jack_port_t *)port, count);
}

/* Bars and beats at the first sample of the running cycle, as whoever keeps the time of the server has them. */
typedef struct vg_jack_time {
  double beats;                /* since the first bar began */
  double bar_beats;            /* since this bar began */
  double beats_per_bar;        /* 0 where nobody keeps the time, as are all others */
  double tempo;                /* beats a minute */
} vg_jack_time;

/* Where the transport is in the running cycle: gives its state, its place in samples, and its bars and beats. Good in
   the callback. */
VG_JACK_REALTIME static inline uint32_t vg_jack_transport_time(jack_client_t *client, int64_t *frame,
                                                               vg_jack_time *time) {
  jack_position_t position;
  jack_transport_state_t state = jack_transport_query(client, &position);
  *frame = position.frame;
  *time = (vg_jack_time){0, 0, 0, 0};
  if ((position.valid & JackPositionBBT) && position.ticks_per_beat > 0 && position.beats_per_bar > 0 &&
      position.beats_per_minute > 0 && position.beats_per_minute < 1e6) {
    double beats = position.beat - 1 + position.tick / position.ticks_per_beat;
    /* Bar, beat and tick may be those of a sample before the cycle. */
    if ((position.valid & JackBBTFrameOffset) && position.frame_rate > 0)
      beats += position.bbt_offset * position.beats_per_minute / (60.0 * position.frame_rate);
    time->bar_beats = beats;
    time->beats = beats + (position.bar - 1) * (double)position.beats_per_bar;
    time->beats_per_bar = position.beats_per_bar;
    time->tempo = position.beats_per_minute;
  }
  return (uint32_t)state;
}

/* The same without bars and beats. */
VG_JACK_REALTIME static inline uint32_t vg_jack_transport(jack_client_t *client, int64_t *frame) {
  vg_jack_time time;
  return vg_jack_transport_time(client, frame, &time);
}

/* What a host may do before a cycle in freewheel, where nothing is in real time: wait for the disk and for the thread
   that makes frames. It must come to an end by itself within a second. */
typedef void (*vg_jack_wait)(void *_Nullable context, uint32_t count);

/* Outside the audit on purpose: only freewheel comes here. */
VG_JACK_REALTIME static inline void vg_jack_call_wait(vg_jack_wait wait, void *_Nullable context, uint32_t count) {
  wait(context, count);
}

#pragma clang diagnostic pop

/* Opens a client. The function of the library takes the server's name as a variable argument, which Swift cannot
   pass. */
static inline jack_client_t *_Nullable vg_jack_open(const char *name, const char *_Nullable server, int exact,
                                                    jack_status_t *status) {
  jack_options_t options = JackNoStartServer;
  if (exact) options = (jack_options_t)(options | JackUseExactName);
  if (!server) return jack_client_open(name, options, status);
  return jack_client_open(name, (jack_options_t)(options | JackServerName), status, server);
}

/* The keys of metadata are variables in the header, which Swift takes for shared mutable state. */
static inline const char *vg_jack_key_pretty_name(void) { return JACK_METADATA_PRETTY_NAME; }
static inline const char *vg_jack_key_order(void) { return JACK_METADATA_ORDER; }
static inline const char *vg_jack_key_port_group(void) { return JACK_METADATA_PORT_GROUP; }
static inline const char *vg_jack_key_signal_type(void) { return JACK_METADATA_SIGNAL_TYPE; }

#pragma clang assume_nonnull end
