import Engine
import Graphs

/// Makes chases and waves over any number of channels.
enum Steps: RunnableNode {
  static let name = "steps"
  static let off: (setting: String, value: String, help: String)? = ("level", "0", "its levels are 0")
  static let help = """
    Makes chases and waves: a round of steps over its channels, a step forward with every event at `next`, whatever \
    its name, or `rate` times a second if nothing is wired there. With `shape: step` the channels of each step are \
    lit in turn, the first by the first event; `width`, `rise`, `fall` and `fade` set how long and how softly, and \
    `hold` how long after the last event all go dark. With any other shape each channel goes through one wave in a \
    round, evenly from step to step. If events lead it, each step takes as long as the one before; until the first \
    event it is dark.

    `spread` is how many rounds, or waves, lie over the channels: 1 spreads one, and with 0 all do the same at once. \
    With `shape: step`, a spread of channels / steps lights channels together that are `steps` apart. A fan stands \
    still, and spreads what it drives over a group: `{ key: pan, by: fan, to: [-30 deg, 30 deg] }` of `lights`. Time \
    counts from the sample of an event, and events of one sample are one step.
    """
  static let example: String? = """
    beat: { type: beat }
    chase: { type: steps, channels: 4, resetBy: bar, fall: 0.15 s, hold: 1 s }         # wires: beat.events -> chase
    wave: { type: steps, of: Par, shape: sine, steps: 4, spread: 2 }                    # a channel for each fixture
    """

  /// The order of the steps in a round.
  enum Order: String, FieldChoice {
    case forward, backward, bounce, random
    var help: String {
      switch self {
      case .forward: "from the first channel to the last"
      case .backward: "from the last to the first"
      case .bounce: "there and back; as steps the first and the last are lit once"
      case .random:
        "random steps, never one twice in a row; waves begin at random places, which stay"
      }
    }
  }

  /// The course of a channel during a round.
  enum Shape: String, FieldChoice {
    case step, ramp, sine, triangle, square, fan
    var help: String {
      switch self {
      case .step: "1 while its step lasts, else 0"
      case .ramp: "rises evenly from 0 to 1, and falls at once"
      case .sine: "rises from 0 to 1 and falls again, as a sine does"
      case .triangle: "the same in straight lines"
      case .square: "1 for half of the round, then 0"
      case .fan:
        "stands still: from 0 at the first channel evenly to 1 at the last, `spread` times as far about 0.5"
      }
    }
  }

  struct Settings: FieldRecord {
    /// The fixtures for which there are channels; empty: `channels` counts.
    var of: [String] = []
    /// The number of channels; nil: as many as names, otherwise 4.
    var channels: Int?
    var names: [String] = []
    /// Steps per second where no events are wired.
    var rate = 1.0
    /// The steps of a round; nil: one per channel.
    var steps: Int?
    var order = Order.forward
    var shape = Shape.step
    var spread = 1.0
    var mirror = false
    var width = 1.0
    /// Time of a rise, in seconds.
    var rise = 0.0
    /// Time of a fall, in seconds.
    var fall = 0.0
    /// Minimum time of a rise and a fall, in steps.
    var fade = 0.0
    /// Seconds after the last event at which it goes dark; nil: never.
    var hold: Double?
    /// The name of events that reset the round; nil: none.
    var resetBy: String?
    var seed = 0
    /// The factor on all levels, 0…1.
    var level = 1.0

    static let recordName = "steps"
    static let fields: [Field<Settings>] = [
      Field(
        "of", \.of, .oneOf([.text(), .list(.text(), count: 0...256)]), change: .rebuild,
        "The fixtures of `patch:` that the channels are for, one channel each with the fixture's name: a name, a row "
          + "or a group, one or a list. It takes the place of `channels` and `names`."),
      Field(
        "channels", \.channels, .channelCount, change: .rebuild,
        "How many channels leave; by default as many as `names`, otherwise 4."),
      Field(
        "names", \.names, .channelNames(), change: .rebuild,
        "The names of the channels; without `channels` also how many there are."),
      Field(
        "rate", \.rate, .number(.hertz, 0...100),
        "Steps a second if nothing is wired to `next`; at 0 it stands still."),
      Field(
        "steps", \.steps, .number(.none, 1...2000, whole: true),
        "How many steps a round has; by default one for each channel, with `mirror` one for each pair."
      ),
      Field("order", \.order, "The order of a round."),
      Field("shape", \.shape, "What a channel goes through in a round."),
      Field(
        "spread", \.spread, .number(.ratio, 0...2000),
        "How many rounds lie over the channels, from the first to the one behind the last."),
      Field(
        "mirror", \.mirror,
        "Whether the second half of the channels does what the first does, from the other end."),
      Field(
        "width", \.width, .number(.none, 0...2000),
        "For how many steps a channel stays lit: 2 has two lit at once, 0.5 leaves a gap; of `shape: step`."),
      Field(
        "rise", \.rise, .number(.seconds, 0...600),
        "The time to rise to 1, in a straight line; of `shape: step`."),
      Field(
        "fall", \.fall, .number(.seconds, 0...600),
        "The time to fall to 0, in a straight line; of `shape: step`."),
      Field(
        "fade", \.fade, .number(.ratio, 0...64),
        "Both times as a part of a step, if that is longer; of `shape: step`."),
      Field(
        "hold", \.hold, .number(.seconds, 0...600),
        "How long after the last event at `next` or `reset` it goes dark; by default never."),
      Field(
        "resetBy", \.resetBy, .text(),
        "The name of events at `next` that begin the round anew, such as `bar` of a `beat`."),
      Field(
        "seed", \.seed, .number(.none, 0...Double(UInt32.max), whole: true),
        "The seed of `order: random`."),
      Field("level", \.level, .number(.ratio, 0...1), "What all levels are multiplied by."),
    ]
    init() {}

    /// The number of channels where no fixtures are named.
    var channelCount: Int { channels ?? (names.isEmpty ? 4 : names.count) }
    /// How many of `count` channels are not mirrored; 1 where there are none, because fixtures may have no slots.
    func ownChannels(of count: Int) -> Int { max(1, mirror ? (count + 1) / 2 : count) }
    /// The steps of a round over `count` channels, in one direction.
    func stepCount(over count: Int) -> Int { steps ?? ownChannels(of: count) }
    /// The number of steps until everything repeats.
    func roundLength(over count: Int) -> Int {
      let steps = stepCount(over: count)
      guard order == .bounce else { return steps }
      return shape == .step ? max(1, 2 * (steps - 1)) : 2 * steps
    }
  }

  static func inputs(_ settings: Settings) -> [InputPort] {
    [
      InputPort("next", [.event], required: false, "Any event: a step forward."),
      InputPort("reset", [.event], required: false, "Any event: the round begins anew, at once."),
    ]
  }
  static func outputs(_ settings: Settings) -> [OutputPort] {
    [
      OutputPort("out", .type(.level), "The levels, each 0…1."),
      OutputPort("events", .type(.event), "`round`, when a round begins."),
    ]
  }

  static func shape(_ shaping: Shaping<Settings>) -> [[Channel]] {
    let settings = shaping.settings.all
    if !settings.of.isEmpty { return [fixtures(shaping), Channel.numbered(1)] }
    return [
      shaping.named(Channel.numbered(settings.channelCount), by: settings.names), Channel.numbered(1),
    ]
  }

  /// A channel for each fixture.
  private static func fixtures(_ shaping: Shaping<Settings>) -> [Channel] {
    do {
      // Fixtures without slots are left out, as `lights` does.
      let fixtures = try shaping.patch.fixtures(named: shaping.settings.all.of).get().filter {
        !$0.slots.isEmpty
      }
      if let channels = shaping.settings.all.channels, channels != fixtures.count {
        shaping.report(
          "fixtures-and-channels", "channels",
          "\(channels) channels are for \(fixtures.count) fixtures; leave `channels` out")
      }
      return fixtures.enumerated().map { Channel($0 + 1, name: $1.name) }
    } catch {
      // A faulty row of the patch may be the missing fixture.
      if !shaping.patch.isBroken { shaping.report("unknown-fixture", "of", error.sentence) }
      return []
    }
  }

  static func sourceChannels(output: Int, channel: Int, shaping: Shaping<Settings>) -> [Int]? {
    Array(shaping.inputs[0].channels.indices)
  }

  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts {
    let channels = context.outputs[0].channels.count
    let state = context.keep(if: { $0.lamps.count == channels }) { StepsState(channels: channels) }
    return NodeParts(frame: StepsFrame(context, state))
  }
}
