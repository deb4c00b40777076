import Graphs
import Realtime

/// Hands levels on to the audio half, some frames ahead. [frame]
final class GainFrame: FrameNode {
  private let levels: DrivenLevels
  private let delay: Int64
  private let inputs: [Int]

  init(_ levels: DrivenLevels, delay: Int, inputs: [Int]) {
    self.levels = levels
    self.delay = Int64(delay)
    self.inputs = inputs
  }

  func run(_ frame: Frame) {
    for (channel, input) in inputs.enumerated() {
      let level = frame.levels[input]
      levels.slots.pointee.set(
        channel, frame: frame.header.frame + delay, to: level.isFinite ? max(0, min(1, level)) : 0)
    }
  }
}
