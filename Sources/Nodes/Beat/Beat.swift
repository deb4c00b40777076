import Engine
import Graphs
import Metering
import Realtime

/// The node type `beat`: tracks the tempo, the beats and the downbeats of music.
enum Beat: RunnableNode {
  static let name = "beat"
  static let help = """
    Finds the tempo of music and where its beats fall; all channels together are one piece of music. `phase` runs \
    evenly from 0 at a beat to 1 at the next. It corrects itself by running up to 25 % faster or slower, and never \
    steps back. Every beat is an event `beat`, and the first beat of every bar an event `bar` as well; bars begin \
    where the music has them, as far as that can be heard (`barConfidence`). It locks within about 3 s. Silence, \
    noise, speech, pads and a held bass have no beat, and through a break the grid goes on for `patience`. `range` \
    decides which of two tempi, one twice the other, is meant; events at `double` and `halve` decide it by hand, and \
    take effect with the next beat. An event at `downbeat` makes the next beat, or the one just heard, the first of a \
    bar; bars are counted from there until there is no beat any more.

    Taps, two or more events at `tap` or messages to `/visgraph/node/ID/tap`, give tempo and beat by hand; from then \
    on the music moves the tempo by 7 % at most, as long as there is a beat. With `follow: transport` the beats are \
    those of JACK's transport, while it rolls and a program keeps its time; the sound, taps, events and the other \
    settings except `nudge` have no effect.
    """
  static let delay: String? =
    "none for beats once it is locked, because they are predicted; about 3 s after a sudden change of tempo, if it "
    + "can be heard clearly; gradual changes are followed"

  /// Where beats come from.
  enum Source: String, FieldChoice {
    case sound, transport
    var help: String {
      switch self {
      case .sound: "the music at `in`"
      case .transport: "the bars and beats of JACK's transport; nothing has to be wired to `in`"
      }
    }
  }

  struct Settings: FieldRecord {
    var follow = Source.sound
    var range = [70.0, 180.0]
    var hint: Double?
    var bar = BarLength.beats(4)
    var patience = 8.0
    var gate = -50.0
    var nudge = 0.0
    var names: [String] = []

    static let recordName = "beat"
    private static let tempo = ValueKind.number(.none, 30...300)
    static let fields: [Field<Settings>] = [
      Field("follow", \.follow, change: .rebuild, "Where the beats come from."),
      Field(
        "range", \.range, .pair(tempo),
        "The slowest and the fastest tempo, in beats a minute; [90, 180] leaves no doubt which of two is meant."
      ),
      Field("hint", \.hint, tempo, "The expected tempo, in beats a minute, if it is known."),
      Field(
        "bar", \.bar,
        "How many beats a bar has. With 2 to 12 beats its beginning is found in the music; bars of other lengths are "
          + "counted from the first beat."
      ),
      Field(
        "patience", \.patience, .number(.seconds, 0...600), "How long the grid goes on when the music stops."),
      Field(
        "gate", \.gate, .number(.decibels, -160...0),
        "Sound below this level does not count as music; mean square, dBFS."),
      Field(
        "nudge", \.nudge, .number(.seconds, -0.5...0.5),
        "How far ahead of the music beats, bars and phases are, for lamps that are late; below 0 they are behind it."
      ),
      Field(
        "names", \.names, .channelNames(most: 1),
        "The name of the beat; by default what the names that arrive have in common, otherwise this node's id."
      ),
    ]
    init() {}

    func trackerSettings() -> BeatTracker.Settings {
      BeatTracker.Settings(slowest: range[0], fastest: range[1], hint: hint, patience: patience)
    }
  }

  static func inputs(_ settings: Settings) -> [InputPort] {
    [
      InputPort("in", [.audio], required: settings.follow == .sound, "The sound that is analyzed."),
      InputPort("double", [.event], required: false, "Any event: twice as fast from the next beat on."),
      InputPort("halve", [.event], required: false, "Any event: half as fast from the next beat on."),
      InputPort("downbeat", [.event], required: false, "Any event: the nearest beat is the first of a bar."),
      InputPort("tap", [.event], required: false, "Any event: a tap, in the tempo and on the beat."),
    ]
  }
  static func outputs(_ settings: Settings) -> [OutputPort] {
    [
      OutputPort("phase", .type(.level), in: .phase, "0 at a beat, growing evenly to 1; 0 without a beat."),
      OutputPort("bars", .type(.level), in: .phase, "The same for bars."),
      OutputPort("tempo", .type(.number), in: .beatsPerMinute, "The tempo; 0 without a beat."),
      OutputPort(
        "confidence", .type(.level),
        "How likely the beats are right; 0 without a beat. Of generated pieces nearly all beats were right above 0.95, "
          + "three of four from 0.7, and one of three below 0.5."
      ),
      OutputPort("locked", .type(.level), "1 while there is a beat, else 0."),
      OutputPort("events", .type(.event), "`beat` and `bar`."),
      OutputPort(
        "barConfidence", .type(.level),
        "How likely bars begin where they are said to; 1 where that was said by hand, 0 where it is not heard. Of "
          + "generated pieces nine of ten bars were right above 0.9, seven of ten from 0.6, and three of ten below 0.4."
      ),
    ]
  }

  static func shape(_ shaping: Shaping<Settings>) -> [[Channel]] {
    let range = shaping.settings.all.range
    if range.count == 2, range[0] >= range[1] {
      shaping.report("empty-range", "range", "the slowest tempo of `range` must lie below the fastest")
    }
    let name = Channel.commonName(of: shaping.inputs[0].channels) ?? shaping.id
    let beat = shaping.named([Channel(1, name: name)], by: shaping.settings.all.names)
    return Array(repeating: beat, count: outputs(shaping.settings.all).count)
  }

  static func sourceChannels(output: Int, channel: Int, shaping: Shaping<Settings>) -> [Int]? {
    Array(shaping.inputs[0].channels.indices)
  }

  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts {
    let channels = context.inputs[0].channels.count
    let rate = context.configuration.sampleRate
    if context.settings.all.follow == .transport {
      let transport = context.configuration.transport
      let block = context.keep { BlockState(TransportBlock(transport, rate: rate)) }
      let state = context.keep { TransportBeatState() }
      let firstValue = context.claimValues(TransportBlock.values)
      return NodeParts(
        block: BlockPart(TransportBlock.self, block, firstValue: firstValue) { _ in .init() },
        frame: TransportBeatFrame(context, state, firstValue: firstValue))
    }
    let reader = context.keep { FluxReader(channels: channels, rate: rate, hasSemitones: true) }
    let block = context.keep { BlockState(TapBlock(reader.tap.writer)) }
    let state = context.keep { BeatState(hop: Double(reader.hop) / Double(rate)) }
    return NodeParts(
      block: BlockPart(TapBlock.self, block) { _ in .init() }, frame: BeatFrame(context, reader, state),
      control: state.control)
  }
}
