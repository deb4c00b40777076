import Engine
import Graphs
import Metering
import Realtime
import System

/// Generates test signals.
enum ToneSource: RunnableNode {
  static let name = "tone-source"
  static let off: (setting: String, value: String, help: String)? = (
    "level", "-160", "it is silent"
  )
  static let help = """
    Makes test signals as functions of the time on the timeline, so that they are the same at any cycle size. Every \
    channel can have its own level and frequency, so that channels can be told apart. A level or frequency that \
    changes while it runs moves over one frame, and the phase goes on; another `tone` fades in once the old one has \
    faded out.
    """

  /// The kind of signal.
  enum Tone: String, FieldChoice {
    case sine, white, pink, impulses, silence
    var help: String {
      switch self {
      case .sine: "a sine; `level` is its peak"
      case .white: "white noise, evenly spread between the peaks"
      case .pink: "pink noise: 3 dB less per octave, within `level`; its RMS is about 17 dB lower"
      case .impulses: "one sample at `level`, `frequency` times a second"
      case .silence: "samples of 0, which count as sound"
      }
    }
  }

  struct Settings: FieldRecord {
    var channels = 1
    var tone = Tone.sine
    /// Peak level in dBFS.
    var level = -20.0
    /// Difference in level from one channel to the next, in dB.
    var levelStep = 0.0
    /// The frequency, in Hz.
    var frequency = 1000.0
    /// Difference in frequency from one channel to the next, in Hz.
    var frequencyStep = 0.0
    var seed = 0
    var names: [String] = []

    /// The range of peak levels, in dBFS.
    static let levels = -160.0...20.0

    static let recordName = "tone"
    static let fields: [Field<Settings>] = [
      Field(
        "channels", \.channels, .channelCount, change: .rebuild,
        "How many channels leave."),
      Field("tone", \.tone, each: true, "What it sounds like."),
      Field("level", \.level, .number(.gain, levels), each: true, "The peak, in dBFS; -160 is silence."),
      Field(
        "levelStep", \.levelStep, .number(.decibels, -60...60),
        "How much louder each channel is than the one before; none is louder than "
          + "\(shortest(levels.upperBound)) dBFS."
      ),
      Field(
        "frequency", \.frequency, .number(.hertz, 0...384_000), each: true,
        "The frequency of the sine or of the impulses; at 0 Hz and above half the sample rate the channel is "
          + "silent."),
      Field(
        "frequencyStep", \.frequencyStep, .number(.hertz, -100_000...100_000),
        "How much higher each channel is than the one before."),
      Field(
        "seed", \.seed, .number(.none, 0...Double(UInt32.max), whole: true),
        "The seed of the noise; channels differ with every seed."),
      Field("names", \.names, .channelNames(), "The names of the channels."),
    ]
    init() {}
  }

  static func inputs(_ settings: Settings) -> [InputPort] { [] }
  static func outputs(_ settings: Settings) -> [OutputPort] {
    [OutputPort("out", .type(.audio), "The signal.")]
  }
  static func shape(_ shaping: Shaping<Settings>) -> [[Channel]] {
    [shaping.named(Channel.numbered(shaping.settings.all.channels), by: shaping.settings.all.names)]
  }

  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts {
    let state = context.keep { BlockState(ToneBlock(channels: context.settings.all.channels)) }
    let tones = (0..<context.settings.all.channels).map { channel in
      makeTone(context.settings[channel], channel, rate: Double(context.configuration.sampleRate))
    }
    let source = context.claimSources(1)
    return NodeParts(
      block: BlockPart(ToneBlock.self, state, firstSource: source) { .init(tones: $0.array(tones)) })
  }

  /// The tone of a channel at a sample rate in Hz; silence where its frequency is out of range.
  private static func makeTone(_ settings: Settings, _ channel: Int, rate: Double) -> ToneBlock.Tone {
    let level = min(settings.level + Double(channel) * settings.levelStep, Settings.levels.upperBound)
    let frequency = settings.frequency + Double(channel) * settings.frequencyStep
    let isNoise = settings.tone == .white || settings.tone == .pink
    // At 0 Hz a sine would be constant.
    let isInRange = isNoise || frequency > 0 && frequency <= rate / 2
    // A channel that is silent by its own level or tone stays silent, whatever `levelStep` adds.
    let isSilent = min(settings.level, level) <= Settings.levels.lowerBound || settings.tone == .silence
    let isAudible = isInRange && !isSilent
    let periodsPerSample = max(0, frequency) / rate
    return ToneBlock.Tone(
      shape: isAudible ? settings.tone.shape : ToneBlock.silence,
      level: isAudible ? Float(Decibels.amplitude(level)) : 0,
      increment: phaseIncrement(periodsPerSample, roundsDown: settings.tone != .impulses),
      seed: isNoise ? UInt64(settings.seed) << 32 ^ UInt64(channel) &* RandomStream.increment : 0)
  }

  /// The phase increment in units of 2⁻⁶⁴ periods. For impulses it is rounded up: a period of a whole number of
  /// samples then never takes one sample more.
  private static func phaseIncrement(_ periodsPerSample: Double, roundsDown: Bool) -> UInt64 {
    guard periodsPerSample > 0, periodsPerSample < 1 else { return 0 }
    return UInt64(roundsDown ? periodsPerSample * 0x1p64 : (periodsPerSample.nextUp * 0x1p64).rounded(.up))
  }
}

extension ToneSource.Tone {
  /// The number of the signal in `ToneBlock`.
  var shape: UInt8 {
    switch self {
    case .silence: ToneBlock.silence
    case .sine: ToneBlock.sine
    case .white: ToneBlock.white
    case .pink: ToneBlock.pink
    case .impulses: ToneBlock.impulses
    }
  }
}
