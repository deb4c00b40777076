import TestSounds
import Testing

/// Signals of the tables of standards, measured by a node.
extension Signal {
  /// Runs channels of samples through a node of this entry, such as `type: meter, window: 1 s`. Returns the rig, which has
  /// the levels that the node, `m`, has made.
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
