import CRealtime
import Realtime

/// Reads a file's samples from the ring that the disk thread fills. [audio]
struct StreamBlock: ~Copyable, Block {
  struct Settings: BitwiseCopyable {}

  private let reader: SampleRingReader
  private var isSounding = false

  init(_ reader: SampleRingReader) { self.reader = reader }

  @inline(__always) @_noLocks
  mutating func process(_ io: IO, _ settings: UnsafePointer<Settings>, _ cycle: Cycle) {
    let count = cycle.count
    let isOver = reader.isEnded
    let there = isOver ? 0 : reader.request(count)
    var channel: UInt32 = 0
    while channel < io.pointee.outputCount {
      let output = cycle.output(io, channel)
      if Int(channel) < reader.channels {
        reader.read(channel: Int(channel), into: output, count: there)
        if there < count { vg_clear(output + there, count &- there) }
      } else {
        vg_clear(output, count)
      }
      channel &+= 1
    }
    reader.consume(there)
    if !isOver {
      isSounding = true
      if there < count && !reader.isEnded { cycle.facts.pointee.missingSamples.count(UInt64(count &- there)) }
    }
  }

  @inline(__always) @_noLocks
  mutating func finish(_ io: IO, _ settings: UnsafePointer<Settings>, _ frame: FrameEnd) {
    frame.pointee.sources[Int(io.pointee.firstSource)] = isSounding ? 1 : 0
    isSounding = false
  }

  static var processing: vg_process { { runBlock(StreamBlock.self, $0, $1) } }
  static var finishing: vg_finish? { { finishBlock(StreamBlock.self, $0, $1) } }
}
