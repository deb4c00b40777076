import Graphs
import Realtime
import Synchronization
import System

/// The channels of sound of a plan that pages show. While no page shows any, nothing is copied. Memory is allocated
/// for the first page, and then stays until the plan is freed, because the callback may be using it. [any]
final class SoundProbes: @unchecked Sendable {
  /// Capacity of a tap, in samples. It holds all samples between two reads.
  static let tapCapacity = 4 * Cycle.longestSegment

  /// The probes, their taps, and the channel of each.
  private struct Table {
    let probes: UnsafeMutablePointer<SoundProbe>
    let taps: [SampleTap]
    var channels: [SoundChannel?]

    init() {
      taps = (0..<SoundProbe.count).map { _ in
        SampleTap(channels: 1, minimumCapacity: SoundProbes.tapCapacity)
      }
      probes = .allocate(capacity: taps.count)
      for (i, tap) in taps.enumerated() { (probes + i).initialize(to: SoundProbe(tap.writer)) }
      channels = Array(repeating: nil, count: taps.count)
    }
  }

  private let plan: UnsafeMutablePointer<Plan>
  /// The op of each node, by the node's index.
  private let ops: [Int: Int]
  private let table = Locked<Table?>(nil)

  init(_ plan: UnsafeMutablePointer<Plan>, ops: [Int: Int]) { (self.plan, self.ops) = (plan, ops) }

  deinit {
    table.withLock { table in
      guard let table else { return }
      table.probes.deinitialize(count: table.taps.count)
      table.probes.deallocate()
    }
  }

  /// Taps these channels and no others. Returns the tap of each channel that has got a probe.
  func look(at wanted: [SoundChannel], in graph: CheckedGraph) -> [SoundChannel: SampleTap] {
    table.withLock { table in
      if wanted.isEmpty, table == nil { return [:] }
      var updated = table ?? Table()
      for (slot, channel) in updated.channels.enumerated() where channel.map(wanted.contains) != true {
        updated.channels[slot] = nil
        updated.probes[slot].packedOutput.store(-1, ordering: .relaxed)
      }
      var taps: [SoundChannel: SampleTap] = [:]
      for channel in wanted {
        if let slot = updated.channels.firstIndex(of: channel) {
          taps[channel] = updated.taps[slot]
        } else if let packed = packedOutput(of: channel, in: graph),
          let slot = updated.channels.firstIndex(of: nil)
        {
          updated.channels[slot] = channel
          updated.probes[slot].packedOutput.store(packed, ordering: .relaxed)
          taps[channel] = updated.taps[slot]
        }
      }
      plan.pointee.probes.store(taps.isEmpty ? nil : updated.probes, ordering: .releasing)
      table = updated
      return taps
    }
  }

  private func packedOutput(of wanted: SoundChannel, in graph: CheckedGraph) -> Int? {
    guard let index = graph.nodes.firstIndex(where: { $0.id == wanted.node }), let op = ops[index] else {
      return nil
    }
    var offset = 0
    for output in graph.nodes[index].outputs where output.type == .audio {
      if output.name == wanted.output, output.channels.indices.contains(wanted.channel) {
        return SoundProbe.packedOutput(op: op, output: offset + wanted.channel)
      }
      offset += output.channels.count
    }
    return nil
  }
}
