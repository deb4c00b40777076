import CRealtime
import Realtime
import Synchronization

/// Copies the samples of one output of an op while a plan runs. It copies right after the op has run, before another
/// op reuses the buffer.
struct SoundProbe: ~Copyable {
  /// The number of probes of a plan whose sound is shown on a page.
  static var count: Int { @_noLocks get { 4 } }

  /// The op's number and its output's number, packed by `packedOutput`; negative for none. [any] writes it.
  let packedOutput = Atomic<Int>(-1)
  private let tap: SampleTapWriter

  /// Makes a probe of nothing. [any]
  init(_ tap: SampleTapWriter) { self.tap = tap }

  /// Packs both numbers: the output in the low 16 bits.
  static func packedOutput(op: Int, output: Int) -> Int { op << 16 | output }

  /// Runs the ops of a segment, and copies the samples of each op that has a probe. Samples that do not fit into a
  /// tap are dropped: the callback does not wait for its reader. The function is not inlined, so that cycles without
  /// probes need none of its registers. [audio]
  @_noLocks @inline(never)
  static func run(
    _ ops: Op, to end: Op, _ probes: UnsafeMutablePointer<SoundProbe>, _ segment: UnsafePointer<vg_cycle>
  ) {
    var op = ops
    while op < end {
      vg_call_process(op, segment)
      copy(probes, op, number: op - ops, segment)
      op += 1
    }
  }

  @_noLocks
  private static func copy(
    _ probes: UnsafeMutablePointer<SoundProbe>, _ op: Op, number: Int, _ segment: UnsafePointer<vg_cycle>
  ) {
    var probe = probes
    let end = probes + count
    while probe < end {
      let packedOutput = probe.pointee.packedOutput.load(ordering: .relaxed)
      if packedOutput >> 16 == number {
        probe.pointee.copy(op, output: UInt32(packedOutput & 0xFFFF), Cycle(segment))
      }
      probe += 1
    }
  }

  @_noLocks
  private borrowing func copy(_ op: Op, output: UInt32, _ cycle: Cycle) {
    let io = op.pointee.io
    guard output < io.pointee.outputCount, tap.begin(at: cycle.sample, cycle.count) else { return }
    tap.write(channel: 0, cycle.output(io, output), count: cycle.count)
    tap.commit(cycle.count)
  }
}
