import Engine
public import Graphs
import Metering
import Realtime

/// Passes levels while there is sound; otherwise outputs exact zeros.
enum Gate: RunnableNode {
  static let name = "gate"
  static let role: NodeRole? = .gate
  static let help = """
    Lets levels pass while there is sound. It opens at `open` and closes when the level has been below `close` for \
    `hold`; while it is closed an exact 0 (or -160 dBFS) leaves, so that noise lights nothing. Every opening is an \
    event `sound`, every closing an event `silence`.
    """

  struct Settings: FieldRecord {
    /// Threshold in the unit of the wire; nil: -50 dBFS, or 0.06 for levels 0…1.
    var open: Double?
    /// Threshold in the unit of the wire; nil: -56 dBFS, or 0.04 for levels 0…1.
    var close: Double?
    /// How long the gate stays open below `close`, in seconds.
    var hold = 0.25

    static let recordName = "gate"
    static let fields: [Field<Settings>] = [
      Field(
        "open", \.open, .number(.decibels, -160...20), each: true,
        "The level at which it opens, in the unit of the wire; by default -50 dB, or 0.06 on a wire of 0…1."),
      Field(
        "close", \.close, .number(.decibels, -160...20), each: true,
        "The level below which it closes, in the unit of the wire; by default -56 dB, or 0.04 on a wire of 0…1."
      ),
      Field("hold", \.hold, .number(.seconds, 0...600), each: true, "How long it stays open below `close`."),
    ]
    init() {}
  }

  static func inputs(_ settings: Settings) -> [InputPort] {
    [InputPort("in", [.decibels, .level], "Levels of either kind.")]
  }
  static func outputs(_ settings: Settings) -> [OutputPort] {
    [
      OutputPort("out", .asFirstInput, "The levels, of the same kind."),
      OutputPort("events", .type(.event), "`sound` and `silence`, by channel."),
    ]
  }

  static func shape(_ shaping: Shaping<Settings>) -> [[Channel]] {
    let isLevel = shaping.inputs[0].type == .level
    for settings in [shaping.settings.all] + shaping.settings.each.values {
      let (open, close) = thresholds(settings, isLevel: isLevel)
      if close > open {
        shaping.report(
          "closes-above-open", "close",
          "it would close (\(close)) above where it opens (\(open)) and flutter; `close` lies at or below `open`"
        )
      }
      if isLevel && (open < 0 || close < 0) {
        shaping.report(
          "decibels-on-level", "open", "levels 0…1 arrive here, so `open` and `close` are numbers from 0 to 1"
        )
      }
    }
    let channels = shaping.inputs[0].channels
    return [channels, channels]
  }

  static func thresholds(_ settings: Settings, isLevel: Bool) -> (open: Double, close: Double) {
    let open = settings.open ?? (isLevel ? 0.06 : -50)
    return (open, settings.close ?? min(open, isLevel ? 0.04 : -56))
  }

  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts {
    let channels = context.outputs[0].channels.count
    let state = context.keep { GateState(channels: channels) }
    return NodeParts(frame: GateFrame(context, state: state))
  }
}

/// Which channels are open, and their seconds below `close`; kept from plan to plan. [frame]
final class GateState {
  var isOpen: [Bool]
  var quietSeconds: [Double]

  init(channels: Int) {
    isOpen = Array(repeating: false, count: channels)
    quietSeconds = Array(repeating: 0, count: channels)
  }
}

extension CheckedNode {
  /// The level at which a gate opens for a channel, from 0, in the unit of its wire; nil for other nodes. [control]
  public func gateOpening(channel: Int) -> (level: Double, isDecibels: Bool)? {
    guard let settings = settings(of: Gate.self) else { return nil }
    let isLevel = inputs.first?.type == .level
    return (Gate.thresholds(settings[channel], isLevel: isLevel).open, !isLevel)
  }
}

/// Opens and closes the gate of each channel. [frame]
final class GateFrame: FrameNode {
  private let state: GateState
  private let thresholds: [(open: Double, close: Double)]
  /// By channel: how long it stays open below `close`, in seconds.
  private let holds: [Double]
  /// The level of a closed gate.
  private let silentLevel: Float
  private let inputs: [Int]
  private let outputs: [Int]
  private let events: Int

  init(_ context: NodeContext<Gate.Settings>, state: GateState) {
    self.state = state
    let isLevel = context.inputs[0].type == .level
    let channels = context.outputs[0].channels.indices
    thresholds = channels.map { Gate.thresholds(context.settings[$0], isLevel: isLevel) }
    holds = channels.map { context.settings[$0].hold }
    silentLevel = isLevel ? 0 : Decibels.floor
    inputs = context.levelInputs[0]
    outputs = context.levelOutputs[0]
    events = context.eventOutputs[1]
  }

  func run(_ frame: Frame) {
    for channel in inputs.indices {
      let level = frame.levels[inputs[channel]]
      let before = state.isOpen[channel]
      if Double(level) >= thresholds[channel].open {
        state.isOpen[channel] = true
        state.quietSeconds[channel] = 0
      } else if before {
        state.quietSeconds[channel] =
          Double(level) < thresholds[channel].close ? state.quietSeconds[channel] + frame.seconds : 0
        if state.quietSeconds[channel] > 0
          && state.quietSeconds[channel] + Frame.tolerance >= holds[channel]
        {
          state.isOpen[channel] = false
        }
      }
      let isOpen = state.isOpen[channel]
      frame.levels[outputs[channel]] = isOpen ? level : silentLevel
      if isOpen != before {
        frame.events.report(
          Event(
            output: events, name: isOpen ? "sound" : "silence", channel: channel,
            sample: frame.header.endSample))
      }
    }
  }
}
