import Graphs
import Nodes
import Realtime

/// Log lines about counters of the callback that the screen does not show. [control]
struct CounterReport {
  /// The number of late levels at the last line.
  private var lateLevels: UInt64 = 0
  /// The earliest time of the next line, in s.
  private var next = 0.0
  /// The last advice.
  private var advice: String?

  /// A line about new late levels, at most every 10 s; `time` in s.
  mutating func takeMessage(
    _ counters: UnsafeMutablePointer<EngineCounters>, _ graph: CheckedGraph, rate: Int, at time: Double
  ) -> String? {
    let late = counters.pointee.lateLevels.now()
    guard late > lateLevels, time >= next else { return nil }
    defer {
      lateLevels = late
      next = time + 10
    }
    // If the delay setting is the cause, every frame counts late levels: the advice is given once.
    if let found = graph.delayAdvice(cycle: Int(counters.pointee.longestCycle.now()), rate: rate) {
      defer { advice = found }
      return found == advice ? nil : found
    }
    return "\(late - lateLevels) levels came too late to act on sound in their frame"
  }

  /// The counters in one line, without the longest cycle.
  static func summary(_ counters: UnsafeMutablePointer<EngineCounters>) -> String {
    """
    samples \(counters.pointee.samples.now()), missing samples \(counters.pointee.missingSamples.now()), \
    merged frames \(counters.pointee.mergedFrames.now()), late levels \(counters.pointee.lateLevels.now()), \
    samples not analyzed \(counters.pointee.missedSamples.now()), not finite \(counters.pointee.notFinite.now())
    """
  }
}
