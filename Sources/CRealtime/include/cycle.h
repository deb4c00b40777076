#pragma once
#include <stdint.h>
#include "effects.h"

#pragma clang assume_nonnull begin

/* What every block is told: one segment of a cycle, which never crosses the end of a frame. */
typedef struct vg_cycle {
  float *_Nonnull *_Nonnull buffers;    /* the plan's buffers by number; each holds `count` samples of this segment */
  float *_Nonnull *_Nonnull ownBuffers;      /* where the plan itself has put each buffer, should a block have moved it */
  float *_Nullable *_Nonnull ports;     /* the host's port buffers by port number, for the whole cycle of the host */
  void *counters;                 /* counters that blocks may add to */
  uint32_t offset;             /* where the segment begins in the host's cycle, in samples */
  uint32_t count;              /* samples in the segment */
  uint32_t position;           /* where the segment begins in its frame, in samples */
  uint32_t length;             /* samples in the frame */
  int64_t sample;              /* where the segment begins on the timeline */
  int64_t frame;               /* the number of the frame, from 1 */
} vg_cycle;

/* What a block is told when a frame is over: where its values of the frame go. */
typedef struct vg_frame {
  double *sums;                /* what adds up where frames are merged, by value number: squares, or counts */
  float *peaks;                /* largest magnitudes, by value number */
  uint8_t *sources;            /* by source number: 1 when the source was sounding in this frame */
  uint32_t length;             /* samples in the frame */
} vg_frame;

/* Which buffers and numbers a block has in its plan. Belongs to the plan. */
typedef struct vg_io {
  const uint32_t *inputs;      /* buffer numbers, channel by channel, port by port */
  const uint32_t *outputs;
  uint32_t inputCount;
  uint32_t outputCount;
  uint32_t firstValue;         /* its first value in the record of a frame */
  uint32_t firstSource;        /* its first source number */
} vg_io;

typedef struct vg_op vg_op;
typedef void (*vg_process)(const vg_op *op, const vg_cycle *cycle) __attribute__((nonblocking));
typedef void (*vg_finish)(const vg_op *op, const vg_frame *frame) __attribute__((nonblocking));

/* One step of a plan. State is shared by plans in which the node is the same, io belongs to the plan; settings are the
   plan's own, or those that were laid into the slot of the op since. */
struct vg_op {
  vg_process process;
  vg_finish _Nullable finish;
  void *state;
  const vg_io *io;
  const void *settings;
};

/* Swift may not call a function pointer under its audit; these two are the only places that do. */
VG_REALTIME static inline void vg_call_process(const vg_op *op, const vg_cycle *cycle) {
  op->process(op, cycle);
}
VG_REALTIME static inline void vg_call_finish(const vg_op *op, const vg_frame *frame) {
  if (op->finish) op->finish(op, frame);
}

#pragma clang assume_nonnull end
