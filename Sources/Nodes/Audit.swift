import CRealtime
import Realtime

/// The compiler's check of every block: one that could allocate, lock or count references stops the build here.
///
/// Not meant to be called. A test compares this list with the catalogue.
@_noLocks
func audit(_ op: Op, _ segment: UnsafePointer<vg_cycle>, _ frame: FrameEnd) {
  process(StreamBlock.self, op, segment)
  finish(StreamBlock.self, op, frame)
  process(ToneBlock.self, op, segment)
  finish(ToneBlock.self, op, frame)
  process(JackInputBlock.self, op, segment)
  finish(JackInputBlock.self, op, frame)
  process(JackOutputBlock.self, op, segment)
  process(GainBlock.self, op, segment)
  process(FilterBlock.self, op, segment)
  process(MixBlock.self, op, segment)
  process(MeterBlock.self, op, segment)
  finish(MeterBlock.self, op, frame)
  process(WindowedMeterBlock.self, op, segment)
  finish(WindowedMeterBlock.self, op, frame)
}
