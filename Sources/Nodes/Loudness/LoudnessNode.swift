import Engine
import Graphs
import Metering
import Realtime

/// Measures loudness as broadcasters do.
enum LoudnessNode: RunnableNode {
  static let name = "loudness"
  static let help = """
    Measures the loudness of a program by EBU R 128 and ITU-R BS.1770-5: `momentary` over 400 ms, `shortTerm` over 3 s, \
    `integrated` over all since the start or the last event at `reset` with both gates, all in LUFS, their highest values, \
    the `range` in LU (EBU Tech 3342), and for each channel the true peak in dBTP, at four times the rate. All channels \
    are one program, weighted by their roles, unless `per: channel` says otherwise. Before a window is full, and where \
    the gates let nothing pass, a level reads -160 and a range 0.
    """
  static let delay: String? = "200 ms (momentary), 1.5 s (shortTerm): half of the window; at most 10 ms more"

  /// What is measured together.
  enum Together: String, FieldChoice {
    case program, channel
    var help: String {
      switch self {
      case .program: "all channels together"
      case .channel: "each channel by itself"
      }
    }
  }

  /// What a channel is to the program.
  enum Role: String, FieldChoice {
    case auto, front, surround, lfe
    var help: String {
      switch self {
      case .auto:
        "by its name (LFE, Ls, Rs …), else by its place where five or six channels arrive (L R C Ls Rs, L R C LFE Ls Rs), "
          + "else front"
      case .front: "counts as it is"
      case .surround: "counts 1.5 dB more"
      case .lfe: "does not count; its true peak is measured"
      }
    }

    /// The weight of BS.1770-5, table 3.
    func weight(_ channel: Channel, of count: Int) -> Double {
      switch self {
      case .front: return 1
      case .surround: return 1.41
      case .lfe: return 0
      case .auto:
        if let name = channel.name?.uppercased() {
          if name == "LFE" { return 0 }
          if ["LS", "RS", "SL", "SR"].contains(name) { return 1.41 }
          if ["L", "R", "C", "LEFT", "RIGHT", "CENTER", "CENTRE"].contains(name) { return 1 }
        }
        if count == 6 { return channel.number == 4 ? 0 : channel.number > 4 ? 1.41 : 1 }
        return count == 5 && channel.number > 3 ? 1.41 : 1
      }
    }
  }

  /// The settings of a loudness.
  struct Settings: FieldRecord {
    /// What is measured together.
    var together = Together.program
    /// What a channel is.
    var role = Role.auto
    /// What the programs are called.
    var names: [String] = []

    static let recordName = "loudness"
    static let fields: [Field<Settings>] = [
      Field("per", \.together, change: .rebuild, "What is measured together."),
      Field("role", \.role, each: true, "What a channel is to the program."),
      Field(
        "names", \.names, .channelNames(),
        "What is measured together is called; where nothing is said, what the names that arrive have in common, else this node's id."
      ),
    ]
    init() {}
  }

  static func inputs(_ settings: Settings) -> [InputPort] {
    [
      InputPort("in", [.audio], "What is measured."),
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

  static func makes(output: Int, channel: Int, shaping: Shaping<Settings>) -> [Int]? {
    let isOne = output < 6 && shaping.settings.all.together == .program
    return isOne ? Array(shaping.inputs[0].channels.indices) : nil
  }

  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts {
    let channels = context.inputs[0].channels
    let rate = context.configuration.sampleRate
    // Two seconds of what is 10 ms long, and some more.
    let tap = context.keep { SampleTap(channels: channels.count, minimumCapacity: 256) }
    let block = context.keep {
      BlockState(LoudnessBlock(channels: channels.count, rate: rate, tap: tap.writer))
    }
    let programs = context.outputs[0].channels.count
    let state = context.keep { LoudnessState(programs: programs, channels: channels.count) }
    let first = context.claimValues(channels.count)
    let weights = channels.enumerated().map { index, channel in
      context.settings[index].role.weight(channel, of: channels.count)
    }
    return NodeParts(
      block: BlockPart(LoudnessBlock.self, block, firstValue: first) { _ in .init() },
      frame: LoudnessFrame(
        state, tap: tap, isPerChannel: context.settings.all.together == .channel, weights: weights,
        resets: context.eventPlaces[1], firstValue: first,
        outputs: context.levelOutputs))
  }
}

/// What has been heard of each program, and the highest true peaks; kept from plan to plan. [frame]
final class LoudnessState {
  var programs: [Loudness]
  var highestPeaks: [Float]

  init(programs: Int, channels: Int) {
    self.programs = Array(repeating: Loudness(), count: programs)
    highestPeaks = Array(repeating: 0, count: channels)
  }

  func reset() {
    for program in programs.indices { programs[program].reset() }
    for channel in highestPeaks.indices { highestPeaks[channel] = 0 }
  }
}

/// Turns energies of 10 ms into loudness. [frame]
final class LoudnessFrame: FrameNode {
  private let state: LoudnessState
  private let tap: SampleTap
  private let isPerChannel: Bool
  private let weights: [Double]
  private let resets: EventPlaces
  private let firstValue: Int
  private let outputs: [[Int]]
  private var energies: [Float] = [0]

  init(
    _ state: LoudnessState, tap: SampleTap, isPerChannel: Bool, weights: [Double], resets: EventPlaces,
    firstValue: Int,
    outputs: [[Int]]
  ) {
    self.state = state
    self.tap = tap
    self.isPerChannel = isPerChannel
    self.weights = weights
    self.resets = resets
    self.firstValue = firstValue
    self.outputs = outputs
  }

  func run(_ frame: Frame) {
    if frame.events.all.contains(where: { !resets.channels(of: $0).isEmpty }) { state.reset() }
    takeEnergies(before: LoudnessBlock.steps(before: frame.header.endSample, rate: Int64(frame.rate)))
    for (program, loudness) in state.programs.enumerated() {
      // Their windows hold silence by then.
      let stalled = frame.stalledSeconds
      let levels = [
        stalled < 0.4 ? loudness.momentary : nil, stalled < 3 ? loudness.shortTerm : nil, loudness.integrated,
        nil, loudness.highestMomentary,
        loudness.highestShortTerm,
      ]
      for (output, level) in levels.enumerated() {
        frame.levels[outputs[output][program]] = Float(max(Double(Decibels.floor), level ?? -.infinity))
      }
      frame.levels[outputs[3][program]] = Float(loudness.range ?? 0)
    }
    for channel in weights.indices {
      let peak = frame.record.peaks[firstValue + channel]
      state.highestPeaks[channel] = max(state.highestPeaks[channel], peak)
      frame.levels[outputs[6][channel]] = Decibels.of(amplitude: Double(peak))
      frame.levels[outputs[7][channel]] = Decibels.of(amplitude: Double(state.highestPeaks[channel]))
    }
  }

  private func takeEnergies(before end: Int64) {
    let places = tap.reader.places
    for place in places.lowerBound..<max(places.lowerBound, min(places.upperBound, end)) {
      var sum = 0.0
      for (channel, weight) in weights.enumerated() {
        tap.reader.read(channel: channel, at: place, into: &energies, count: 1)
        if isPerChannel { state.programs[channel].take(Double(energies[0])) }
        sum += weight * Double(energies[0])
      }
      if !isPerChannel { state.programs[0].take(sum) }
    }
    tap.reader.release(before: end)
  }
}
