import Graphs
import Nodes
import Realtime

/// Words for what the callback counts and the screen does not show. [control]
struct FactsTold {
  private var lateLevels: UInt64 = 0
  private var next = 0.0
  /// The advice given last.
  private var advice: String?

  /// What is new, at most every ten seconds; `time` in seconds.
  mutating func news(
    _ facts: UnsafeMutablePointer<Facts>, _ graph: CheckedGraph, rate: Int, at time: Double
  ) -> String? {
    let late = facts.pointee.lateLevels.now()
    guard late > lateLevels, time >= next else { return nil }
    defer {
      lateLevels = late
      next = time + 10
    }
    // Every frame would count the same: it is told once, with what mends it.
    if let found = graph.delayAdvice(cycle: Int(facts.pointee.longestCycle.now()), rate: rate) {
      defer { advice = found }
      return found == advice ? nil : found
    }
    return "\(late - lateLevels) levels came too late to act on sound in their frame"
  }

  /// All that was counted, in one line.
  static func sum(_ facts: UnsafeMutablePointer<Facts>) -> String {
    """
    samples \(facts.pointee.samples.now()), missing samples \(facts.pointee.missingSamples.now()), \
    merged frames \(facts.pointee.mergedFrames.now()), late levels \(facts.pointee.lateLevels.now()), \
    not finite \(facts.pointee.notFinite.now())
    """
  }
}
