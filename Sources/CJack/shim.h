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

/* The two attributes of VG_REALTIME in CRealtime: Swift's compiler checks the first, clang the second. */
#define VG_JACK_REALTIME __attribute__((swift_attr("@_noLocks"))) __attribute__((nonblocking))

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wfunction-effects"

/* Returns the samples of a port in the running cycle. JACK documents jack_port_get_buffer as safe in the callback.
   [audio] */
VG_JACK_REALTIME static inline float *_Nullable vg_jack_buffer(void *port, uint32_t count) {
  return (float *)jack_port_get_buffer((jack_port_t *)port, count);
}

/* Bars and beats at the first sample of a cycle, as JACK's timebase master states them. */
typedef struct vg_jack_time {
  double beats;                /* since the first bar began */
  double bar_beats;            /* since this bar began */
  double beats_per_bar;        /* 0, like all others, without a timebase master */
  double tempo;                /* beats a minute */
  double ticks_per_beat;       /* resolution of the master's ticks */
} vg_jack_time;

/* Whether least ≤ number ≤ most; false for NaN. */
VG_JACK_REALTIME static inline int vg_jack_within(double number, double least, double most) {
  return number >= least && number <= most;
}

/* Reads bars and beats from a position. Another program wrote the position and may have left fields unset: if a value
   is beyond its musical range, the result is that without a timebase master. Otherwise it is finite and exact to the
   sample. */
VG_JACK_REALTIME static inline vg_jack_time vg_jack_bars_and_beats(const jack_position_t *position) {
  vg_jack_time none = {0, 0, 0, 0, 0};
  double tempo = position->beats_per_minute, ticks = position->ticks_per_beat, bar = position->beats_per_bar;
  if (!(position->valid & JackPositionBBT) || !vg_jack_within(tempo, 1, 10000) || !vg_jack_within(ticks, 1, 1e9) ||
      !vg_jack_within(bar, 1, 1000) || !vg_jack_within(position->bar, 1, 1 << 24) ||
      !vg_jack_within(position->beat, 1, 1000) || !vg_jack_within(position->tick, 0, ticks))
    return none;
  double beats = position->beat - 1 + position->tick / ticks;
  /* Bar, beat and tick may be those of an earlier sample, `bbt_offset` samples before the cycle's first. 2 s is longer
     than any cycle. */
  if ((position->valid & JackBBTFrameOffset) && position->frame_rate > 0) {
    double seconds = position->bbt_offset / (double)position->frame_rate;
    if (!vg_jack_within(seconds, 0, 2)) return none;
    beats += seconds * tempo / 60;
  }
  return (vg_jack_time){beats + (position->bar - 1) * bar, beats, bar, tempo, ticks};
}

/* Returns the state of the transport in the running cycle, and writes its place in samples and its bars and beats.
   [audio] */
VG_JACK_REALTIME static inline uint32_t vg_jack_transport_time(jack_client_t *client, int64_t *frame,
                                                               vg_jack_time *time) {
  jack_position_t position;
  jack_transport_state_t state = jack_transport_query(client, &position);
  *frame = position.frame;
  *time = vg_jack_bars_and_beats(&position);
  return (uint32_t)state;
}

/* A function that the callback calls before a cycle in freewheel, in which it need not keep real time. The function
   waits for the disk and for the frame thread, at most a second. */
typedef void (*vg_jack_wait)(void *_Nullable context, uint32_t count);

/* Calls `wait`, which may block: the check is off for this call, because only freewheel reaches it. [audio] */
VG_JACK_REALTIME static inline void vg_jack_call_wait(vg_jack_wait wait, void *_Nullable context, uint32_t count) {
  wait(context, count);
}

#pragma clang diagnostic pop

/* Opens a client. jack_client_open takes the server's name as a variadic argument, which Swift cannot pass. */
static inline jack_client_t *_Nullable vg_jack_open(const char *name, const char *_Nullable server, int exact,
                                                    jack_status_t *status) {
  jack_options_t options = JackNoStartServer;
  if (exact) options = (jack_options_t)(options | JackUseExactName);
  if (!server) return jack_client_open(name, options, status);
  return jack_client_open(name, (jack_options_t)(options | JackServerName), status, server);
}

/* The metadata keys are global variables in JACK's header, which Swift treats as shared mutable state. */
static inline const char *vg_jack_key_pretty_name(void) { return JACK_METADATA_PRETTY_NAME; }
static inline const char *vg_jack_key_order(void) { return JACK_METADATA_ORDER; }
static inline const char *vg_jack_key_port_group(void) { return JACK_METADATA_PORT_GROUP; }
static inline const char *vg_jack_key_signal_type(void) { return JACK_METADATA_SIGNAL_TYPE; }

#pragma clang assume_nonnull end
