import Graphs
import Realtime

/// Hands levels on to the audio half, two frames ahead. [frame]
final class GainFrame: FrameNode {
  private let levels: DrivenLevels
  private let inputs: [Int]

  init(_ levels: DrivenLevels, inputs: [Int]) {
    self.levels = levels
    self.inputs = inputs
  }

  func run(_ frame: Frame) {
    for (channel, input) in inputs.enumerated() {
      let level = frame.levels[input]
      levels.slots.pointee.set(
        channel, frame: frame.header.frame + 2, to: level.isFinite ? max(0, min(1, level)) : 0)
    }
  }
}
