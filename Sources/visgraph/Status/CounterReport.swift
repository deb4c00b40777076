import Graphs
import Nodes
import Realtime

/// Words for what the callback counts and the screen does not show. [control]
struct CounterReport {
  private var lateLevels: UInt64 = 0
  private var next = 0.0
  /// The advice given last.
  private var advice: String?

  /// What is new, at most every ten seconds; `time` in seconds.
  mutating func takeMessage(
    _ counters: UnsafeMutablePointer<EngineCounters>, _ graph: CheckedGraph, rate: Int, at time: Double
  ) -> String? {
    let late = counters.pointee.lateLevels.now()
    guard late > lateLevels, time >= next else { return nil }
    defer {
      lateLevels = late
      next = time + 10
    }
    // Every frame would count the same: it is reported once, with what mends it.
    if let found = graph.delayAdvice(cycle: Int(counters.pointee.longestCycle.now()), rate: rate) {
      defer { advice = found }
      return found == advice ? nil : found
    }
    return "\(late - lateLevels) levels came too late to act on sound in their frame"
  }

  /// All that was counted, in one line.
  static func sum(_ counters: UnsafeMutablePointer<EngineCounters>) -> String {
    """
    samples \(counters.pointee.samples.now()), missing samples \(counters.pointee.missingSamples.now()), \
    merged frames \(counters.pointee.mergedFrames.now()), late levels \(counters.pointee.lateLevels.now()), \
    missed samples \(counters.pointee.missedSamples.now()), not finite \(counters.pointee.notFinite.now())
    """
  }
}
