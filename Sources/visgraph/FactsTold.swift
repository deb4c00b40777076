import Realtime

/// Words for what the callback counts: each at most once a second, because it is asked no more often. [control]
struct FactsTold {
  private var notFinite: UInt64 = 0
  private var mergedFrames: UInt64 = 0
  private var lateLevels: UInt64 = 0

  /// What is new since the last call.
  mutating func news(_ facts: UnsafeMutablePointer<Facts>) -> [String] {
    var lines: [String] = []
    let bad = facts.pointee.notFinite.now()
    if bad > notFinite { lines.append("\(bad - notFinite) samples were not finite and counted as 0") }
    notFinite = bad
    let merged = facts.pointee.mergedFrames.now()
    if merged > mergedFrames {
      lines.append("\(merged - mergedFrames) frames came too late and were merged; no peak is lost")
    }
    mergedFrames = merged
    let late = facts.pointee.lateLevels.now()
    if late > lateLevels { lines.append("\(late - lateLevels) levels into audio came too late") }
    lateLevels = late
    return lines
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
