import CRealtime
import Graphs
import Hosts
import Realtime
import Synchronization

/// What the screen knows of the levels: the newest of every source, and the peaks of late. [frame] writes, [control]
/// reads.
final class LevelsSeen: FrameWatcher {
  /// One channel as last seen.
  struct Channel {
    var average: Float?
    var peak = HeldPeak()
    var gate: ShowStatus.Gate?
  }

  /// Everything as last seen.
  struct Sight {
    fileprivate var plan: ObjectIdentifier?
    fileprivate var meters: [Int: [SourceMeters.Channel]] = [:]
    /// By the node's index in the graph, then by channel.
    var channels: [Int: [Channel]] = [:]
    /// Where the timeline is, in seconds.
    var timeline = 0.0
  }

  private let sight = Mutex(Sight())

  /// Everything as last seen.
  var last: Sight { sight.withLock { $0 } }

  func saw(_ plan: CompiledPlan, _ header: RecordHeader) {
    let now = Double(vg_now()) / 1e9
    sight.withLock { sight in
      if sight.plan != ObjectIdentifier(plan) {
        sight.plan = ObjectIdentifier(plan)
        sight.meters = SourceMeters(plan).channels
        sight.channels = sight.meters.mapValues { $0.map { _ in Channel() } }
      }
      sight.timeline = Double(header.endSample) / Double(plan.plan.pointee.rate)
      let levels = plan.frames.levels
      for (node, meters) in sight.meters {
        for (index, meter) in meters.enumerated() {
          guard let average = meter.average, let peak = meter.peak else { continue }
          sight.channels[node]?[index].average = levels[average]
          sight.channels[node]?[index].peak.take(levels[peak], at: now)
          if let gate = meter.gate {
            sight.channels[node]?[index].gate = ShowStatus.Gate(
              id: gate.id, isOpen: levels[gate.leaving] > (gate.isDecibels ? -160 : 0),
              level: levels[gate.arriving], threshold: Float(gate.opening), isDecibels: gate.isDecibels)
          }
        }
      }
    }
  }
}
