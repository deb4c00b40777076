import CRealtime
import Engine
import Realtime

/// Proves at compile time that no block allocates, locks or counts references: `@_noLocks` refuses such a block here.
///
/// It is never called. A test compares this list with the catalog. Debug builds compile file by file and do not see a
/// block's body from here; in them only the attribute on each block's own `process` and `finish` is checked.
#if !DEBUG
  @_noLocks
  func audit(_ op: Op, _ segment: UnsafePointer<vg_cycle>, _ frame: FrameEnd) {
    runBlock(PlayerBlock.self, op, segment)
    finishBlock(PlayerBlock.self, op, frame)
    runBlock(ToneBlock.self, op, segment)
    finishBlock(ToneBlock.self, op, frame)
    runBlock(SoundBankBlock.self, op, segment)
    finishBlock(SoundBankBlock.self, op, frame)
    runBlock(JackInputBlock.self, op, segment)
    finishBlock(JackInputBlock.self, op, frame)
    runBlock(JackOutputBlock.self, op, segment)
    runBlock(GainBlock.self, op, segment)
    runBlock(FilterBlock.self, op, segment)
    runBlock(MixBlock.self, op, segment)
    runBlock(MeterBlock.self, op, segment)
    finishBlock(MeterBlock.self, op, frame)
    runBlock(WindowedMeterBlock.self, op, segment)
    finishBlock(WindowedMeterBlock.self, op, frame)
    runBlock(ProgramMeterBlock.self, op, segment)
    finishBlock(ProgramMeterBlock.self, op, frame)
    runBlock(StereoBlock.self, op, segment)
    finishBlock(StereoBlock.self, op, frame)
    runBlock(LoudnessBlock.self, op, segment)
    finishBlock(LoudnessBlock.self, op, frame)
    runBlock(TapBlock.self, op, segment)
    runBlock(TransportBlock.self, op, segment)
    finishBlock(TransportBlock.self, op, frame)
    runBlock(BandFilterBlock.self, op, segment)
    finishBlock(BandFilterBlock.self, op, frame)
  }
#endif
