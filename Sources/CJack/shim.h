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

/* Bars and beats at the first sample of a cycle, as the client that keeps the time of the server has them. */
typedef struct vg_jack_time {
  double beats;                /* since the first bar began */
  double bar_beats;            /* since this bar began */
  double beats_per_bar;        /* 0 where nobody keeps the time, as are all others */
  double tempo;                /* beats a minute */
  double ticks_per_beat;       /* what they are counted in */
} vg_jack_time;

/* Whether a number lies within bounds, which NaN does not. */
VG_JACK_REALTIME static inline int vg_jack_lies(double number, double least, double most) {
  return number >= least && number <= most;
}

/* What a position says of bars and beats. Another program wrote it, and may not have set all of it: what no music has
   counts as if nobody kept the time, so that whatever is made of the rest is finite, and exact to the sample. */
VG_JACK_REALTIME static inline vg_jack_time vg_jack_bars_and_beats(const jack_position_t *position) {
  vg_jack_time none = {0, 0, 0, 0, 0};
  double tempo = position->beats_per_minute, ticks = position->ticks_per_beat, bar = position->beats_per_bar;
  if (!(position->valid & JackPositionBBT) || !vg_jack_lies(tempo, 1, 10000) || !vg_jack_lies(ticks, 1, 1e9) ||
      !vg_jack_lies(bar, 1, 1000) || !vg_jack_lies(position->bar, 1, 1 << 24) ||
      !vg_jack_lies(position->beat, 1, 1000) || !vg_jack_lies(position->tick, 0, ticks))
    return none;
  double beats = position->beat - 1 + position->tick / ticks;
  /* Bar, beat and tick may be those of a sample before the cycle, which none is longer before than a cycle lasts. */
  if ((position->valid & JackBBTFrameOffset) && position->frame_rate > 0) {
    double seconds = position->bbt_offset / (double)position->frame_rate;
    if (!vg_jack_lies(seconds, 0, 2)) return none;
    beats += seconds * tempo / 60;
  }
  return (vg_jack_time){beats + (position->bar - 1) * bar, beats, bar, tempo, ticks};
}

/* Where the transport is in the running cycle: gives its state, its place in samples, and its bars and beats. Good in
   the callback. */
VG_JACK_REALTIME static inline uint32_t vg_jack_transport_time(jack_client_t *client, int64_t *frame,
                                                               vg_jack_time *time) {
  jack_position_t position;
  jack_transport_state_t state = jack_transport_query(client, &position);
  *frame = position.frame;
  *time = vg_jack_bars_and_beats(&position);
  return (uint32_t)state;
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
