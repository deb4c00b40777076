import CRealtime
import Realtime
import Synchronization

/// A place of a plan where sound is looked at while it runs: an output of an op, whose samples are copied once the op has
/// run, before its buffer is another's.
struct SoundProbe: ~Copyable {
  /// How many there are in a plan that is looked at.
  static var count: Int { @_noLocks get { 4 } }

  /// The op by number, and below that the number of its output, as `place` has them; negative for none. [any] writes it.
  let place = Atomic<Int>(-1)
  private let tap: SampleTapWriter

  /// A probe that looks at nothing yet. [any]
  init(_ tap: SampleTapWriter) { self.tap = tap }

  /// Both numbers in one.
  static func place(op: Int, output: Int) -> Int { op << 16 | output }

  /// Runs the ops of a segment, and copies the samples of each that a probe is at. What does not fit is left out: who
  /// looks on is late, and nobody waits for him. Out of line, so that a cycle nobody looks at needs none of its
  /// registers. [audio]
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
      let place = probe.pointee.place.load(ordering: .relaxed)
      if place >> 16 == number { probe.pointee.copy(op, output: UInt32(place & 0xFFFF), Cycle(segment)) }
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
