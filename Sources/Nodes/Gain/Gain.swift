import Engine
import Graphs
import Metering
import Realtime

/// Multiplies channels by a gain, which a level can drive.
enum Gain: RunnableNode {
  static let name = "gain"
  static let off: (setting: String, value: String, help: String)? = (
    "gain", "-160", "nothing passes"
  )
  static let help = """
    Makes channels louder or quieter, without clicks. A level wired to `level` drives it: the level of frame n acts \
    from the start of frame n + `delay`, so that the sound does not depend on the cycle size; before the first level \
    it is silent. Live, a level cannot act before the cycle after its frame. If cycles are longer than a frame (1024 \
    samples at 48000 Hz and 60 fps), a higher `delay` makes the sound the same live and offline; `visgraph run` says \
    which.
    """

  struct Settings: FieldRecord {
    /// The gain, in dB.
    var gain = 0.0
    var mute = false
    /// The number of frames after which a level acts.
    var delay = LevelDelay.least

    static let recordName = "gain"
    static let fields: [Field<Settings>] = [
      Field(
        "gain", \.gain, .number(.gain, -160...60), each: true,
        "The gain; -160 dB is silence."),
      Field("mute", \.mute, each: true, "Lets nothing pass."),
      Field(
        "delay", \.delay, LevelDelay.kind, change: .rebuild, "How many frames after its own a level acts."),
    ]
    init() {}

    /// The factor on samples.
    var factor: Float { mute ? 0 : Decibels.factor(gain: gain) }
  }

  static func inputs(_ settings: Settings) -> [InputPort] {
    [
      InputPort("in", [.audio], "The sound to make louder or quieter."),
      InputPort(
        "level", [.level], width: .asFirst, required: false,
        "Multiplies the amplitude; one channel drives all."),
    ]
  }
  static func outputs(_ settings: Settings) -> [OutputPort] {
    [OutputPort("out", .type(.audio), "The same channels, louder or quieter.")]
  }

  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts {
    let channels = context.outputs[0].channels.count
    let isDriven = context.inputs[1].type != nil
    let levels = context.keep { DrivenLevels(count: channels, delay: context.settings.all.delay) }
    let state = context.keep { BlockState(GainBlock(channels: channels, levels: levels.slots)) }
    let factors = context.settings.map(channels, \.factor)
    let block = BlockPart(GainBlock.self, state) { memory in
      memory.keep(levels)
      return GainBlock.Settings(factors: memory.array(factors), isDriven: isDriven)
    }
    guard isDriven else { return NodeParts(block: block) }
    return NodeParts(
      block: block,
      frame: GainFrame(levels, delay: context.settings.all.delay, inputs: context.levelInputs[1]))
  }
}

/// The slots in which levels reach a block, shared by the two halves of the node. [control] makes it.
final class DrivenLevels: @unchecked Sendable {
  let slots: UnsafeMutablePointer<LevelSlots>

  init(count: Int, delay: Int) {
    slots = .allocate(capacity: 1)
    slots.initialize(to: LevelSlots(count: count, delay: delay))
  }

  deinit {
    slots.deinitialize(count: 1)
    slots.deallocate()
  }
}

/// Passes levels to the audio half, `delay` frames ahead. [frame]
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
