import Engine
import Graphs
import Metering
import Realtime

/// Measures loudness by EBU R 128 and ITU-R BS.1770-5.
enum LoudnessNode: RunnableNode {
  static let name = "loudness"
  static let help = """
    Measures the loudness of a program by EBU R 128: momentary, short-term and integrated, with range and true peak. \
    By ITU-R BS.1770-5, `momentary` covers 400 ms, `shortTerm` 3 s, and `integrated`, with both gates, all since the \
    start or the last event at `reset`. These are in LUFS, as are the highest values of the first two; `range` is in \
    LU (EBU Tech 3342), and the true peak of each channel in dBTP, measured at four times the sample rate. All \
    channels are one program, weighted by their roles, unless `per: channel` says otherwise. An event at `reset` \
    begins a new program with the next 10 ms, and for the highest true peak with its frame. The tail that `render` \
    adds after the last source does not belong to the program unless `--count-tail` is stated: only the windows and \
    the true peak of the frame go on. Before a window is full, and while the gates let nothing pass, a level reads \
    -160 and a range 0.
    """
  static let delay: String? = "200 ms (momentary), 1.5 s (shortTerm): half of the window; at most 10 ms more"

  /// Which channels are measured together.
  enum Together: String, FieldChoice {
    case program, channel
    var help: String {
      switch self {
      case .program: "all channels together"
      case .channel: "each channel by itself"
      }
    }
  }

  /// The role of a channel in the program.
  enum Role: String, FieldChoice {
    case auto, front, surround, lfe
    case dualMono = "dual-mono"
    var help: String {
      switch self {
      case .auto:
        "by the loudspeaker of its name (Left, Ls, Side left, Rear left, LFE …): 1.5 dB more at 60° to 120° of the "
          + "listener, where 5.0, 5.1, 6.1 and 7.1 have their side channels. If no channel has a name, by its place "
          + "among five or six that arrive (L R C Ls Rs, L R C LFE Ls Rs); otherwise front"
      case .front: "counts as it is"
      case .surround: "counts 1.5 dB more"
      case .lfe: "does not count; its true peak is measured"
      case .dualMono: "counts twice, 3 dB more: one channel that two loudspeakers play"
      }
    }

    /// The weight of each channel's energy in a program of all channels (BS.1770-5, 2.1).
    static func weights(_ roles: [Role], of channels: [Channel]) -> [Double] {
      zip(roles, LoudspeakerPlace.weights(channels.map(\.name))).map { role, weight in
        switch role {
        case .auto: weight
        case .front: 1
        case .surround: LoudspeakerPlace.sideWeight
        case .lfe: 0
        case .dualMono: 2
        }
      }
    }
  }

  struct Settings: FieldRecord {
    var together = Together.program
    var role = Role.auto
    var names: [String] = []

    static let recordName = "loudness"
    static let fields: [Field<Settings>] = [
      Field("per", \.together, change: .rebuild, "What is measured together."),
      Field("role", \.role, each: true, "What a channel is to the program."),
      Field(
        "names", \.names, .channelNames(),
        "The name of what is measured together; by default what the names that arrive have in common, otherwise this "
          + "node's id."
      ),
    ]
    init() {}
  }

  static func inputs(_ settings: Settings) -> [InputPort] {
    [
      InputPort("in", [.audio], "The sound to measure."),
      InputPort("reset", [.event], required: false, "Any event begins a new program."),
    ]
  }
  static func outputs(_ settings: Settings) -> [OutputPort] {
    [
      OutputPort("momentary", .type(.decibels), in: .loudness, "The loudness of the last 400 ms."),
      OutputPort("shortTerm", .type(.decibels), in: .loudness, "The loudness of the last 3 s."),
      OutputPort("integrated", .type(.decibels), in: .loudness, "The loudness since the reset."),
      OutputPort("range", .type(.number), in: .loudnessDifference, "The loudness range since the reset."),
      OutputPort(
        "highestMomentary", .type(.decibels), in: .loudness, "The highest momentary since the reset."),
      OutputPort(
        "highestShortTerm", .type(.decibels), in: .loudness, "The highest shortTerm since the reset."),
      OutputPort(
        "truePeak", .type(.decibels), in: .decibelsTruePeak, "The true peak of the frame, a channel each."),
      OutputPort(
        "highestTruePeak", .type(.decibels), in: .decibelsTruePeak, "The highest true peak since the reset."),
    ]
  }

  static func shape(_ shaping: Shaping<Settings>) -> [[Channel]] {
    let channels = shaping.inputs[0].channels
    let program =
      shaping.settings.all.together == .channel
      ? channels : [Channel(1, name: Channel.commonName(of: channels) ?? shaping.id)]
    let named = shaping.named(program, by: shaping.settings.all.names)
    return Array(repeating: named, count: 6) + [channels, channels]
  }

  static func sourceChannels(output: Int, channel: Int, shaping: Shaping<Settings>) -> [Int]? {
    let isOne = output < 6 && shaping.settings.all.together == .program
    return isOne ? Array(shaping.inputs[0].channels.indices) : nil
  }

  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts {
    let channels = context.inputs[0].channels
    let rate = context.configuration.sampleRate
    // More than 2 s of steps of 10 ms.
    let tap = context.keep { SampleTap(channels: channels.count, minimumCapacity: 256) }
    let block = context.keep {
      BlockState(LoudnessBlock(channels: channels.count, rate: rate, tap: tap.writer))
    }
    let programs = context.outputs[0].channels.count
    let state = context.keep { LoudnessState(programs: programs, channels: channels.count) }
    let firstValue = context.claimValues(channels.count)
    let roles = channels.indices.map { context.settings[$0].role }
    let isPerChannel = context.settings.all.together == .channel
    let weights =
      isPerChannel ? roles.map { $0 == .dualMono ? 2 : 1 } : Role.weights(roles, of: channels)
    return NodeParts(
      block: BlockPart(LoudnessBlock.self, block, firstValue: firstValue) { _ in .init() },
      frame: LoudnessFrame(
        state, tap: tap, isPerChannel: isPerChannel, weights: weights, resets: context.eventPlaces[1],
        program: context.configuration.program, firstValue: firstValue, outputs: context.levelOutputs))
  }
}
