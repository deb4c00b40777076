import CRealtime
import Engine
import Realtime
import Synchronization

/// Records in the callback the state of a host's transport at each segment. Consecutive segments with the same state
/// are one stretch.
final class TransportRecorder: @unchecked Sendable {
  /// Consecutive segments with the same state.
  struct Stretch: Equatable {
    var state: HostTransportShared.State
    /// The frame at the first of them and at the last.
    var first: Int64
    var last: Int64
    /// Samples of all of them.
    var samples: Int64
  }

  struct Row: BitwiseCopyable {
    var state: UInt32
    var frame: Int64
    var count: Int64
  }

  /// The block that runs in the callback.
  struct Block: ~Copyable, Engine.Block {
    let shared: UnsafeMutablePointer<HostTransportShared>
    let rows: UnsafeMutablePointer<Row>
    let used = Atomic<Int>(0)
    static var capacity: Int { 100_000 }
    static var processing: vg_process { { runBlock(Self.self, $0, $1) } }

    mutating func process(_ io: IO, _ settings: UnsafePointer<Copier.Settings>, _ cycle: Cycle) {
      let row = Row(
        state: shared.pointee.state.load(ordering: .relaxed),
        frame: shared.pointee.sample.load(ordering: .relaxed), count: Int64(cycle.count))
      let number = used.load(ordering: .relaxed)
      guard number < Self.capacity else { return }
      rows[number] = row
      used.store(number + 1, ordering: .releasing)
    }
  }

  let block = UnsafeMutablePointer<Block>.allocate(capacity: 1)

  init(_ transport: HostTransport) {
    let rows = UnsafeMutablePointer<Row>.allocate(capacity: Block.capacity)
    block.initialize(to: Block(shared: transport.shared, rows: rows))
  }

  /// Everything recorded so far. A cycle that the engine cuts at a frame is there in pieces, each with the cycle's
  /// frame.
  var stretches: [Stretch] {
    var found: [Stretch] = []
    for i in 0..<block.pointee.used.load(ordering: .acquiring) {
      let row = block.pointee.rows[i]
      let state = HostTransportShared.State(rawValue: row.state)!
      if let last = found.last, last.state == state, state != .starting || last.first == row.frame {
        found[found.count - 1].last = row.frame
        found[found.count - 1].samples += row.count
      } else {
        found.append(Stretch(state: state, first: row.frame, last: row.frame, samples: row.count))
      }
    }
    return found
  }
}
