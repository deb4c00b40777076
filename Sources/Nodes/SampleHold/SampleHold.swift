import Engine
import Graphs
import Metering

/// Holds the level at the time of an event.
enum SampleHold: RunnableNode {
  static let name = "sample-hold"
  static let help = """
    Keeps the level at the moment of an event at `when`, until the next event. Before the first event it gives 0, or \
    -160 dBFS.
    """

  /// No settings.
  struct Settings: FieldRecord {
    static let recordName = "sample-hold"
    static let fields: [Field<Settings>] = []
    init() {}
  }

  static func inputs(_ settings: Settings) -> [InputPort] {
    [
      InputPort("in", [.level, .decibels, .number], "Levels of any kind."),
      InputPort("when", [.event], width: .asFirst, "Events; a single channel of them acts on all levels."),
    ]
  }
  static func outputs(_ settings: Settings) -> [OutputPort] {
    [OutputPort("out", .asFirstInput, "The levels, of the same kind.")]
  }

  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts {
    let silentLevel = context.inputs[0].type == .decibels ? Decibels.floor : 0
    let state = context.keep { HeldLevels(context.outputs[0].channels.count, silentLevel) }
    return NodeParts(
      frame: SampleHoldFrame(
        state, places: context.eventPlaces[1], inputs: context.levelInputs[0],
        outputs: context.levelOutputs[0]))
  }
}

/// The held levels; kept from plan to plan. [frame]
final class HeldLevels {
  var levels: [Float]

  init(_ channels: Int, _ silentLevel: Float) { levels = Array(repeating: silentLevel, count: channels) }
}

/// Samples levels at events, and outputs the held ones. [frame]
final class SampleHoldFrame: FrameNode {
  private let state: HeldLevels
  private let places: EventPlaces
  private let inputs: [Int]
  private let outputs: [Int]

  init(_ state: HeldLevels, places: EventPlaces, inputs: [Int], outputs: [Int]) {
    self.state = state
    self.places = places
    self.inputs = inputs
    self.outputs = outputs
  }

  func run(_ frame: Frame) {
    for event in frame.events.all {
      for channel in places.channels(of: event) { state.levels[channel] = frame.levels[inputs[channel]] }
    }
    for channel in outputs.indices { frame.levels[outputs[channel]] = state.levels[channel] }
  }
}
