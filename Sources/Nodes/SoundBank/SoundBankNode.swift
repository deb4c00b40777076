import Engine
import Graphs
import Metering
import Playback
import Realtime

/// Plays named short sounds from memory.
enum SoundBankNode: RunnableNode {
  static let name = "sound-bank"
  static let off: (setting: String, value: String, help: String)? = (
    "gain", "-160", "its sounds are not heard"
  )
  static let role: NodeRole? = .sampler
  static let help = """
    Plays named short sounds from memory, as soon as a wired event, an OSC message or a key fires them. Every sound \
    has an input port of its name, so `beat.events -> bank.kick` plays `kick` whenever the trigger `beat` fires; an \
    event at the port `in` plays the sound of the event's name. Every event counts: a gate plays a sound when it \
    opens and again when it closes.

    All files are decoded before the first cycle, and resampled if their sample rate is another. A sound of one \
    channel is heard on all channels of the bank, one of several on the first ones. If a sound has more channels than \
    the n of the bank, it is mixed down: channel k takes the mean of its channels k, k + n, k + 2n and so on. A sound \
    begins with the file's first sample; one that is cut, by a stop, by another sound or because all voices are busy, \
    fades out in 5 ms. When all voices are busy, the oldest one is cut.

    When a sound has been played to its end, `completed` gives an event with the sound's name. When a sound with \
    `alert: true` is fired, or any sound is fired as an alert, `alert` gives one, so that a light can flash as a \
    phone vibrates. The channels of both ports are the sounds: `bank.completed[kick]` picks one. While nothing sounds \
    the bank is idle, like a file that has ended.
    """
  static let example: String? = """
    bank:
      type: sound-bank
      sounds:
        kick: sounds/kick.flac
        alarm: { path: sounds/alarm.flac, key: a, gain: -3 dB, alert: true }
      voices: 8
    """

  /// What happens to playing sounds when another is fired.
  enum Mode: String, FieldChoice {
    case polyphonic, one
    var help: String {
      switch self {
      case .polyphonic: "they play on, up to `voices` at a time"
      case .one: "they end, as System Sound Services on a phone plays one at a time"
      }
    }
  }

  /// When an event is heard.
  enum Moment: String, FieldChoice {
    case soon, frame
    var help: String {
      switch self {
      case .soon: "with the next cycle"
      case .frame:
        "when the frame after the next begins (see `delay`), as levels act on audio: the same at any cycle size"
      }
    }
  }

  struct Settings: FieldRecord {
    var sounds = SoundsSetting()
    /// The number of channels; nil: as many as the widest sound has, or without sounds as many as `names`, at least 2.
    var channels: Int?
    var names: [String] = []
    /// Maximum sounds at a time.
    var voices = 16
    var mode = Mode.polyphonic
    /// The gain of all sounds, in dB.
    var gain = 0.0
    var events = Moment.soon
    /// The number of frames after which an event is heard, with `events: frame`.
    var delay = LevelDelay.least
    /// Maximum length of a sound, in seconds.
    var longest = 30.0

    static let recordName = "sound-bank"
    static let fields: [Field<Settings>] = [
      Field(
        "sounds", \.sounds,
        "The sounds by name: letters, digits, - and _. Each is an audio file, or a map with settings of its own. At "
          + "most \(SoundsSetting.most) sounds, and \(mostMegabytes) MB of samples in all banks of a graph together."
      ),
      Field(
        "channels", \.channels, .channelCount, change: .rebuild,
        "How many channels leave; by default as many as the widest sound has."),
      Field(
        "names", \.names, .channelNames(),
        "The names of the channels; by default two are Left and Right."),
      Field(
        "voices", \.voices, .number(.none, 1...Double(SamplerVoices.most), whole: true),
        "How many sounds can play at the same time."),
      Field("mode", \.mode, "What happens to sounds that play when another is fired."),
      Field(
        "gain", \.gain, .number(.gain, -160...20), "The gain of all its sounds; -160 dB is silence."),
      Field("events", \.events, "When an event that arrives is heard."),
      Field(
        "delay", \.delay, LevelDelay.kind,
        "With `events: frame`, how many frames after its own an event is heard; cycles longer than a frame need "
          + "more, as those of a gain do."),
      Field(
        "longest", \.longest, .number(.seconds, 0.001...600),
        "The longest that a sound may last; a file-source plays longer ones, from disk."),
    ]
    init() {}
  }

  /// The index of the output port for completed sounds.
  static let completed = 1
  /// The index of the output port for alerts.
  static let alert = 2

  static func keys(_ settings: Settings) -> [String] { settings.sounds.entries.compactMap(\.value.key) }

  static func inputs(_ settings: Settings) -> [InputPort] {
    [InputPort(SoundsSetting.input, [.event], required: false, "Plays the sound of the event's name.")]
      + settings.sounds.ports.map {
        InputPort($0, [.event], required: false, "Plays \($0), whatever the event.")
      }
  }

  static func outputs(_ settings: Settings) -> [OutputPort] {
    let names = SoundsSetting.outputs
    // `completed` and `alert` are indexes in this list.
    return [
      OutputPort(names.sound, .type(.audio), "The sounds."),
      OutputPort(names.completed, .type(.event), "The name of a sound that was played to its end."),
      OutputPort(names.alert, .type(.event), "The name of a sound that was fired as an alert."),
    ]
  }

  static func shape(_ shaping: Shaping<Settings>) -> [[Channel]] {
    let settings = shaping.settings.all
    let widths = SoundFiles(settings).check(shaping)
    let channels = settings.channels ?? widths.max() ?? max(2, settings.names.count)
    let names = settings.sounds.entries.map(\.name)
    return [
      shaping.named(
        Channel.numbered(channels, names: channels == 2 ? ["Left", "Right"] : []), by: settings.names),
      Channel.numbered(names.count, names: names), Channel.numbered(names.count, names: names),
    ]
  }

  /// No channel of an input: the sounds are its own, and events carry no level.
  static func sourceChannels(output: Int, channel: Int, shaping: Shaping<Settings>) -> [Int]? { [] }

  /// Decodes the files that are not in the cache. [control]
  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts {
    let settings = context.settings.all
    let (channels, rate) = (context.outputs[0].channels.count, context.configuration.sampleRate)
    let cache = context.keep { SoundCache() }
    let queues = context.keep { SamplerQueues() }
    let reports = context.keep { SoundBankControl.Reports() }
    let timing = context.configuration.timing
    let state = context.keep {
      BlockState(
        SoundBankBlock(channels: channels, rate: rate, queues: queues, gate: timing?.gate.shared))
    }
    // The sounds of the plans before, taken before those of this plan join them. Voices that play one still read its
    // samples when this plan runs, at least until they have faded out, so this plan keeps them, too.
    let inUse = cache.inUse
    let decoded = try SoundFiles(settings).decoded(context, channels: channels, cache: cache)
    let numbers = cache.numbers(of: settings.sounds.entries.map(\.name))
    let value = context.claimValues(decoded.sounds.count)
    let block = BlockPart(
      SoundBankBlock.self, state, firstValue: value, firstSource: context.claimSources(1)
    ) { memory in
      for thing in [decoded, queues] + inUse as [AnyObject] { memory.keep(thing) }
      if let timing { memory.keep(timing.gate) }
      return makeTable(settings, decoded, numbers, memory)
    }
    let bank = SoundBankControl(
      id: context.id, settings, numbers: numbers, queues: queues, broken: decoded.sounds.compactMap(\.fault),
      reports: reports)
    let frame = SoundBankFrame(context, queues: queues, numbers: numbers, firstValue: value)
    return NodeParts(block: block, frame: frame, control: bank)
  }

  /// Makes the table of sounds for a plan, with a row for each; `numbers` are those of their names.
  private static func makeTable(
    _ settings: Settings, _ decoded: SoundCache.PlanSounds, _ numbers: [String: Int], _ memory: PlanMemory
  ) -> SoundBankBlock.Settings {
    var rowOf = [Int16](repeating: -1, count: SamplerCommand.numbers)
    var rows: [SoundSlot] = []
    for (entry, sound) in zip(settings.sounds.entries, decoded.sounds) {
      guard let number = numbers[entry.name] else { continue }
      rowOf[number] = Int16(rows.count)
      let samples = sound.samples
      rows.append(
        SoundSlot(
          number: number, samples: UnsafePointer(samples.base), stride: samples.stride,
          channels: samples.channels, count: sound.count, factor: Decibels.factor(gain: entry.value.gain),
          retriggers: entry.value.retrigger))
    }
    return SoundBankBlock.Settings(
      stamp: SoundCache.stamp(), rows: memory.array(rows), count: rows.count, rowOf: memory.array(rowOf),
      voices: settings.voices, stopsOthers: settings.mode == .one,
      factor: Decibels.factor(gain: settings.gain),
      delay: Int64(settings.delay))
  }

  /// Maximum memory for the samples of all banks of a graph, in MiB, which texts call MB.
  static let mostMegabytes = 512
}
