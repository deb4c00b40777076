#pragma once
#include <stdint.h>
#include "effects.h"

#pragma clang assume_nonnull begin

/* Argument of `process`: one segment of a cycle. A segment never crosses the end of a frame. */
typedef struct vg_cycle {
  float *_Nonnull *_Nonnull buffers;     /* the plan's buffers by number; each holds `count` samples of this segment */
  float *_Nonnull *_Nonnull ownBuffers;  /* the plan's own memory for each buffer; a block may let an element of
                                            `buffers` point elsewhere, such as at a port's buffer */
  float *_Nullable *_Nonnull ports;      /* the host's port buffers by port number, for the whole cycle */
  void *counters;              /* EngineCounters of Sources/Realtime, to which blocks may add */
  uint32_t offset;             /* where the segment begins in the host's cycle, in samples */
  uint32_t count;              /* samples in the segment */
  uint32_t position;           /* where the segment begins in its frame, in samples */
  uint32_t length;             /* samples in the whole frame */
  int64_t sample;              /* where the segment begins on the timeline, in samples */
  int64_t frame;               /* the number of the frame, from 1 */
} vg_cycle;

/* Argument of `finish`, which runs at the end of a frame: where a block writes its values of that frame. */
typedef struct vg_frame {
  double *sums;                /* by value number: sums of squares or counts; merging frames adds them */
  float *peaks;                /* by value number: largest magnitudes */
  uint8_t *sources;            /* by source number: 1 when the source was sounding in this frame */
  uint32_t length;             /* samples in the frame */
} vg_frame;

/* The buffers and numbers of a block in its plan. Belongs to the plan. */
typedef struct vg_io {
  const uint32_t *inputs;      /* buffer numbers: all channels of the first port, then of the second, … */
  const uint32_t *outputs;
  uint32_t inputCount;
  uint32_t outputCount;
  uint32_t firstValue;         /* its first value in the record of a frame */
  uint32_t firstSource;        /* the number of its first source, an index of vg_frame.sources */
} vg_io;

typedef struct vg_op vg_op;
typedef void (*vg_process)(const vg_op *op, const vg_cycle *cycle) __attribute__((nonblocking));
typedef void (*vg_finish)(const vg_op *op, const vg_frame *frame) __attribute__((nonblocking));

/* One step of a plan. `state` is shared by all plans that have the same node; `io` belongs to the plan. `settings`
   points to the plan's own settings, or to newer ones taken from the op's slot (SettingSlots). */
struct vg_op {
  vg_process process;
  vg_finish _Nullable finish;
  void *state;
  const vg_io *io;
  const void *settings;
};

/* Swift's @_noLocks check refuses calls of function pointers, so these two functions make them. */
VG_REALTIME static inline void vg_call_process(const vg_op *op, const vg_cycle *cycle) {
  op->process(op, cycle);
}
VG_REALTIME static inline void vg_call_finish(const vg_op *op, const vg_frame *frame) {
  if (op->finish) op->finish(op, frame);
}

#pragma clang assume_nonnull end
