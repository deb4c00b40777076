import Engine
import Graphs

#if canImport(Glibc)
  import Glibc
#endif

/// Smooths levels.
enum Smooth: RunnableNode {
  static let name = "smooth"
  static let help = """
    Lets levels glide, up in one time and down in another, after they have stayed for `hold`. L ← T − (T − \
    L)·e^(−Δt/τ) in the unit of the wire, with τ of `rise` or `fall`, so that nothing depends on fps. It begins at \
    the first level that arrives; a level that is not a number (NaN) leaves it where it is.
    """
  static let delay: String? = "63 % of a step up after `rise`, of a step down after `hold` and `fall`"

  struct Settings: FieldRecord {
    /// Time constant of a rise, in seconds.
    var rise = 0.0
    /// How long a level stays before it falls, in seconds.
    var hold = 0.0
    /// Time constant of a fall, in seconds.
    var fall = 0.3

    static let recordName = "smooth"
    static let fields: [Field<Settings>] = [
      Field(
        "rise", \.rise, .number(.seconds, 0...600), each: true,
        "The time in which a rise covers 63 % of its way; 0 rises at once."),
      Field("hold", \.hold, .number(.seconds, 0...600), each: true, "How long it stays up before it falls."),
      Field(
        "fall", \.fall, .number(.seconds, 0...600), each: true,
        "The time in which a fall covers 63 % of its way; 0 falls at once."),
    ]
    init() {}
  }

  static func inputs(_ settings: Settings) -> [InputPort] {
    [InputPort("in", [.level, .decibels, .number], "Levels of any kind.")]
  }
  static func outputs(_ settings: Settings) -> [OutputPort] {
    [OutputPort("out", .asFirstInput, "The levels, of the same kind.")]
  }

  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts {
    let channels = context.outputs[0].channels.indices
    let state = context.keep { SmoothState(channels: channels.count) }
    return NodeParts(
      frame: SmoothFrame(
        state, settings: channels.map { context.settings[$0] }, inputs: context.levelInputs[0],
        outputs: context.levelOutputs[0]))
  }
}

/// The present state of each channel; kept from plan to plan. [frame]
final class SmoothState {
  /// The level, in the unit of the wire; nil before the first.
  var levels: [Double?]
  /// The seconds for which the level still stays before it falls.
  var holdLeft: [Double]
  /// The setting `hold` at the last rise, in seconds.
  var holds: [Double]

  init(channels: Int) {
    levels = Array(repeating: nil, count: channels)
    holdLeft = Array(repeating: 0, count: channels)
    holds = holdLeft
  }

  /// Advances a channel by `seconds` towards a level; NaN leaves it as it is.
  func move(_ channel: Int, to target: Float, over seconds: Double, _ settings: Smooth.Settings) -> Double? {
    guard !target.isNaN else { return levels[channel] }
    let target = Double(target)
    guard let level = levels[channel] else {
      levels[channel] = target
      setHold(channel, settings.hold, of: settings.hold)
      return target
    }
    if target >= level {
      levels[channel] = Self.approached(target, from: level, over: seconds, in: settings.rise)
      setHold(channel, settings.hold, of: settings.hold)
    } else {
      // If `hold` was changed meanwhile, the new one counts from the last rise.
      if holdLeft[channel] > 0 {
        setHold(channel, holdLeft[channel] + (settings.hold - holds[channel]), of: settings.hold)
      }
      let falling = max(0, seconds - holdLeft[channel])
      holdLeft[channel] = max(0, holdLeft[channel] - seconds)
      if falling > 0 {
        levels[channel] = Self.approached(target, from: level, over: falling, in: settings.fall)
      }
    }
    return levels[channel]
  }

  /// Lets a channel stay for `seconds`, counted with the setting `hold`.
  private func setHold(_ channel: Int, _ seconds: Double, of hold: Double) {
    (holdLeft[channel], holds[channel]) = (max(0, seconds), hold)
  }

  /// The level after `seconds` on an exponential way to a target, with the time constant `time` in seconds.
  private static func approached(_ target: Double, from level: Double, over seconds: Double, in time: Double)
    -> Double
  { time > 0 ? target - (target - level) * exp(-seconds / time) : target }
}

/// Smooths the levels of all channels. [frame]
final class SmoothFrame: FrameNode {
  private let state: SmoothState
  private let settings: [Smooth.Settings]
  private let inputs: [Int]
  private let outputs: [Int]

  init(_ state: SmoothState, settings: [Smooth.Settings], inputs: [Int], outputs: [Int]) {
    self.state = state
    self.settings = settings
    self.inputs = inputs
    self.outputs = outputs
  }

  func run(_ frame: Frame) {
    for channel in outputs.indices {
      let target = frame.levels[inputs[channel]]
      let level = state.move(channel, to: target, over: frame.seconds, settings[channel])
      frame.levels[outputs[channel]] = level.map(Float.init) ?? target
    }
  }
}
