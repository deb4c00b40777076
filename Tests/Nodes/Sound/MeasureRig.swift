import TestSounds
import Testing

/// Graphs that measure signals, for the tables of standards.
extension Signal {
  /// Runs channels through one node.
  static func measured(
    _ node: String, _ channels: [[Float]], rate: Int = 48_000, fps: String = "60", cycle: Int = 512
  )
    throws -> GraphRig
  {
    let rig = try GraphRig(
      """
      fps: \(fps)
      nodes:
        in: { type: jack-input, channels: \(channels.count) }
        m: { \(node) }
      wires: [in -> m]
      """, rate: rate)
    var inputs: [String: [Float]] = [:]
    for (number, samples) in channels.enumerated() { inputs["in_\(number + 1)"] = samples }
    _ = try rig.play(channels[0].count, cycle: cycle, outputs: [], inputs: inputs)
    return rig
  }
}

/// Whether two numbers differ by at most `within`.
func isNear(_ a: Float, _ b: Double, _ within: Double) -> Bool { abs(Double(a) - b) <= within }
