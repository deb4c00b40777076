import Engine
import Graphs
import Metering

#if canImport(Glibc)
  import Glibc
#endif

/// Brings levels to a target by a slow gain.
enum AutoGain: RunnableNode {
  static let name = "auto-gain"
  static let help = """
    Brings levels to `target`: the gain follows the loudness of the last moments, slowly up (`rise`), faster down \
    (`fall`), within its limits. While the level is below `gate` the gain does not change, so a break or a night of \
    silence leaves it as it was; once the level has been 6 dB below `gate` for `hold`, nothing leaves. A level that \
    would exceed full scale limits the gain at once, in the same frame, but not below `minimum`; a level that is still \
    too high is clipped. Levels 0…1 are taken as amplitudes.

    The loudness is the power of the levels, smoothed over 0.3 s of those at or above `gate`. The gain in dB moves \
    towards the value that brings the loudness to the target, 63 % of the way in `rise` or `fall`. Up to 2 dB above the \
    target it falls with `rise`, too, so that music that varies a little is not pulled down.
    """
  static let delay: String? = "none of the levels; the gain covers 63 % of its way in `rise` or `fall`"

  /// Which channels share a gain.
  enum Together: String, FieldChoice {
    case channel, all
    var help: String {
      switch self {
      case .channel: "each channel has its own gain"
      case .all:
        "all channels have one gain, by the loudest of them and the settings of the first, so that the balance stays"
      }
    }
  }

  struct Settings: FieldRecord {
    /// The target level, in the unit of the wire; nil: -12 dBFS, or 0.7 for levels 0…1.
    var target: Double?
    /// Minimum gain, in dB.
    var least = -12.0
    /// Maximum gain, in dB.
    var most = 40.0
    /// Time constant of a rising gain, in seconds.
    var rise = 8.0
    /// Time constant of a falling gain, in seconds.
    var fall = 2.0
    /// The level at which the gate opens, in the unit of the wire; nil: -60 dBFS, or 0.02 for levels 0…1.
    var gate: Double?
    /// How long the gate stays open 6 dB below its threshold, in seconds.
    var hold = 0.5
    var together = Together.channel

    static let recordName = "auto-gain"
    static let fields: [Field<Settings>] = [
      Field(
        "target", \.target, .number(.decibels, -160...20), each: true,
        "The level to which levels are brought, in the unit of the wire; by default -12 dB, or 0.7 on a wire of 0…1."
      ),
      Field("minimum", \.least, .number(.decibels, -100...100), each: true, "The smallest gain."),
      Field("maximum", \.most, .number(.decibels, -100...100), each: true, "The largest gain."),
      Field(
        "rise", \.rise, .number(.seconds, 0.01...3600), each: true, "The time constant of a gain that grows."),
      Field(
        "fall", \.fall, .number(.seconds, 0.01...3600), each: true,
        "The time constant of a gain that shrinks."),
      Field(
        "gate", \.gate, .number(.decibels, -160...20), each: true,
        "The level at which it opens, in the unit of the wire; by default -60 dB, or 0.02 on a wire of 0…1. It "
          + "closes 6 dB below that."),
      Field("hold", \.hold, .number(.seconds, 0...600), each: true, "How long it stays open below that."),
      Field("per", \.together, change: .rebuild, "What shares one gain."),
    ]
    init() {}
  }

  static func inputs(_ settings: Settings) -> [InputPort] {
    [InputPort("in", [.decibels, .level], "Levels of either kind.")]
  }
  static func outputs(_ settings: Settings) -> [OutputPort] {
    [
      OutputPort("out", .asFirstInput, "The levels with the gain, of the same kind."),
      OutputPort("gain", .type(.number), in: .decibels, "The gain."),
      OutputPort("open", .type(.level), "1 while the gate is open, else 0."),
    ]
  }

  static func shape(_ shaping: Shaping<Settings>) -> [[Channel]] {
    let isLevel = shaping.inputs[0].type == .level
    for settings in [shaping.settings.all] + shaping.settings.each.values {
      if settings.least > settings.most {
        shaping.report(
          "empty-range", "minimum",
          "`minimum` (\(shortest(settings.least)) dB) lies above `maximum` (\(shortest(settings.most)) dB)"
        )
      }
      for (name, value) in [("target", settings.target), ("gate", settings.gate)] {
        if isLevel, let value, !(0...1).contains(value) {
          shaping.report(
            "decibels-on-level", name, "levels 0…1 arrive here, so `\(name)` is a number from 0 to 1")
        }
      }
    }
    let channels = shaping.inputs[0].channels
    return [channels, channels, channels]
  }

  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts {
    let channels = context.outputs[0].channels.indices
    let groups = context.settings.all.together == .all ? min(1, channels.count) : channels.count
    let state = context.keep { AutoGainState(groups: groups) }
    return NodeParts(frame: AutoGainFrame(context, state: state))
  }
}

/// The gain of each group and the state that it follows; kept from plan to plan. [frame]
final class AutoGainState {
  /// One group of channels; `gain` is in dB.
  struct Group {
    var gain = 0.0
    var isOpen = false
    /// Seconds below the level at which the gate closes.
    var quietSeconds = 0.0
    /// The smoothed power; nil until the gate opens for the first time.
    var power: Double?
  }

  var groups: [Group]

  init(groups: Int) { self.groups = Array(repeating: Group(), count: groups) }
}

/// Follows the level, gates and limits the gain. [frame]
final class AutoGainFrame: FrameNode {
  /// A channel's settings, with target and gate in dB.
  private struct Goal {
    let target: Double
    let gate: Double
    let settings: AutoGain.Settings
  }

  /// Time constant of the power, in seconds.
  private static let smoothing = 0.3
  /// Up to this number of dB above the target, the gain falls as slowly as it rises.
  private static let slowFallRange = 2.0
  /// The gate closes this number of dB below the level at which it opens.
  private static let gateHysteresis = 6.0
  private let state: AutoGainState
  /// The settings of each channel; a group has those of its first.
  private let goals: [Goal]
  /// Whether the levels are 0…1 rather than dBFS.
  private let isLevel: Bool
  private let inputs: [Int]
  private let outputs: [[Int]]

  init(_ context: NodeContext<AutoGain.Settings>, state: AutoGainState) {
    self.state = state
    let isLevel = context.inputs[0].type == .level
    self.isLevel = isLevel
    inputs = context.levelInputs[0]
    outputs = context.levelOutputs
    goals = context.outputs[0].channels.indices.map { channel in
      let settings = context.settings[channel]
      func inDecibels(_ value: Double?, levelDefault: Double, decibelDefault: Double) -> Double {
        isLevel ? Double(Decibels.of(amplitude: value ?? levelDefault)) : value ?? decibelDefault
      }
      return Goal(
        target: inDecibels(settings.target, levelDefault: 0.7, decibelDefault: -12),
        gate: inDecibels(settings.gate, levelDefault: 0.02, decibelDefault: -60),
        settings: settings)
    }
  }

  func run(_ frame: Frame) {
    let isOne = state.groups.count == 1
    for group in state.groups.indices {
      let channels = isOne ? inputs.indices : group..<group + 1
      let loudest = channels.map { decibels(frame.levels[inputs[$0]]) }.max() ?? Double(Decibels.floor)
      advance(&state.groups[group], hearing: loudest, goals[channels.lowerBound], over: frame.seconds)
      let now = state.groups[group]
      for channel in channels {
        let level = now.isOpen ? decibels(frame.levels[inputs[channel]]) + now.gain : -.infinity
        frame.levels[outputs[0][channel]] =
          isLevel
          ? (now.isOpen ? Float(min(1, Decibels.amplitude(level))) : 0)
          : Float(max(Double(Decibels.floor), min(0, level)))
        frame.levels[outputs[1][channel]] = Float(now.gain)
        frame.levels[outputs[2][channel]] = now.isOpen ? 1 : 0
      }
    }
  }

  /// A level in dB; NaN counts as silence.
  private func decibels(_ level: Float) -> Double {
    guard !level.isNaN else { return Double(Decibels.floor) }
    return isLevel ? Double(Decibels.of(amplitude: Double(level))) : Double(level)
  }

  /// Advances a group by a frame: opens or closes its gate for the loudest `level`, and moves its gain.
  private func advance(
    _ group: inout AutoGainState.Group, hearing level: Double, _ goal: Goal, over seconds: Double
  ) {
    if level >= goal.gate {
      group.isOpen = true
      group.quietSeconds = 0
    } else if group.isOpen {
      group.quietSeconds = level < goal.gate - Self.gateHysteresis ? group.quietSeconds + seconds : 0
      if group.quietSeconds > 0, group.quietSeconds + Frame.tolerance >= goal.settings.hold {
        group.isOpen = false
      }
    }
    let settings = goal.settings
    // The settings may have changed the limits.
    group.gain = max(settings.least, min(settings.most, group.gain))
    // A level below the gate does not move the gain, even while the gate is held open.
    guard group.isOpen, level >= goal.gate else { return }
    let power = Decibels.power(level)
    // Steps of at most 4 ms, so that the result hardly depends on the frame rate.
    let steps = max(1, (seconds / 0.004).rounded(.up))
    let step = seconds / steps
    let (keep, rising, falling) = (
      exp(-step / Self.smoothing), -expm1(-step / settings.rise), -expm1(-step / settings.fall)
    )
    var smoothed = group.power ?? power
    for _ in 0..<Int(steps) {
      smoothed = power + (smoothed - power) * keep
      let missing = goal.target - Double(Decibels.of(power: smoothed)) - group.gain
      // Near the target both directions have one time constant: with a faster fall, levels around the target would
      // lower the gain.
      group.gain += missing * (missing > -Self.slowFallRange ? rising : falling)
      group.gain = max(settings.least, min(settings.most, group.gain))
    }
    group.power = smoothed
    // Not even the first loud frame exceeds full scale, unless `minimum` asks for it; `run` then clips.
    group.gain = max(settings.least, min(settings.most, min(group.gain, -level)))
  }
}
