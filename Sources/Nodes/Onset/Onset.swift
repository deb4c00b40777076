import Engine
import Graphs
import Metering
import Realtime

#if canImport(Glibc)
  import Glibc
#endif

/// Detects where a sound begins.
enum Onset: RunnableNode {
  static let name = "onset"
  static let help = """
    Fires an event `onset`, at its sample, when a sound begins. A sound begins where the spectrum of a channel grows \
    suddenly, on a logarithmic axis and compared with the loudest neighbor just before; so a steady sound, a swell \
    and a vibrato do not fire, nor do partials that beat, such as those of a held bass or of detuned strings. `from` \
    and `to` limit the frequencies: a kick in a mix is what begins between 100 and 250 Hz. The level is 1 at the \
    onset and falls to 0 in `decay`.
    """
  static let delay: String? = """
    about 6 ms for drums, 15 ms for soft attacks (windows of 21 ms every 5.3 ms at 48 kHz), twice that where `from` \
    and `to` are less than 190 Hz apart, four times below 95 Hz; the event leaves at the end of the frame
    """

  struct Settings: FieldRecord {
    /// The sensitivity, 0…1: a larger one detects smaller changes.
    var sensitivity = 0.5
    /// Minimum time between two onsets, in seconds.
    var gap = 0.06
    /// Minimum level of an onset, in dBFS.
    var gate = -55.0
    /// The time in which the output falls to 0, in seconds.
    var decay = 0.15
    /// Lowest frequency, in Hz.
    var from = SpectralFlux.range.lowerBound
    /// Highest frequency, in Hz.
    var to = SpectralFlux.range.upperBound

    static let recordName = "onset"
    static let fields: [Field<Settings>] = [
      Field(
        "sensitivity", \.sensitivity, .number(.ratio, 0...1), each: true,
        "How small a change is an onset: drums fire at 0.3, soft notes at 0.6."),
      Field(
        "gap", \.gap, .number(.seconds, 0...60), each: true, "The least time from one onset to the next."),
      Field(
        "gate", \.gate, .number(.decibels, -160...0), each: true,
        "Sound below this level does not fire, and sound just above it counts little; mean square, dBFS."
      ),
      Field(
        "decay", \.decay, .number(.seconds, 0...60), each: true, "The time in which the level falls to 0."),
      Field(
        "from", \.from, .number(.hertz, 30...192_000), change: .rebuild,
        "The lowest frequency that is listened to."),
      Field(
        "to", \.to, .number(.hertz, 30...192_000), change: .rebuild,
        "The highest frequency that is listened to; beyond 48 % of the sample rate it acts as that."),
    ]
    init() {}

    /// The gain before the logarithm of the flux: `SpectralFlux.gain` at the default gate. A gate that is n dB higher
    /// lowers it by n dB.
    var gain: Float { SpectralFlux.gain * Float(pow(10, (Settings().gate - gate) / 20)) }
  }

  static func inputs(_ settings: Settings) -> [InputPort] {
    [InputPort("in", [.audio], "The sound that is analyzed.")]
  }
  static func outputs(_ settings: Settings) -> [OutputPort] {
    [
      OutputPort("out", .type(.level), "1 at the onset, falling to 0."),
      OutputPort("events", .type(.event), "`onset`, by channel."),
    ]
  }

  static func shape(_ shaping: Shaping<Settings>) -> [[Channel]] {
    let settings = shaping.settings.all
    if settings.from >= settings.to {
      shaping.report(
        "empty-range", "to", "the range would end at \(shortest(settings.to)) Hz, not above where it begins")
    }
    return Array(repeating: shaping.inputs[0].channels, count: 2)
  }

  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts {
    let channels = context.inputs[0].channels.count
    let (from, to) = (context.settings.all.from, context.settings.all.to)
    let reader = context.keep {
      FluxReader(channels: channels, rate: context.configuration.sampleRate, range: from...to)
    }
    let block = context.keep { BlockState(TapBlock(reader.tap.writer)) }
    let state = context.keep {
      OnsetState(channels: channels, hop: Double(reader.hop) / Double(context.configuration.sampleRate))
    }
    return NodeParts(
      block: BlockPart(TapBlock.self, block) { _ in .init() },
      frame: OnsetFrame(
        reader, state, settings: context.settings.map(channels) { $0 },
        outputs: context.levelOutputs[0],
        events: context.eventOutputs[1]))
  }
}

/// The recent flux of each channel, and its last onset; kept from plan to plan. [frame]
final class OnsetState {
  var pickers: [OnsetPicker]
  /// By channel: the sample of the last onset on the timeline, and the seconds of all stalls until then; nil once the
  /// decay is over, so that a longer decay does not bring it back.
  var fired: [(sample: Int64, stalls: Double)?]
  var stalls = StallClock()

  init(channels: Int, hop: Double) {
    pickers = Array(repeating: OnsetPicker(hop: hop), count: channels)
    fired = Array(repeating: nil, count: channels)
  }
}

/// Finds onsets and outputs their events and levels. [frame]
final class OnsetFrame: FrameNode {
  private let reader: FluxReader
  private let state: OnsetState
  private let settings: [OnsetPicker.Settings]
  private let gains: [Float]
  /// By channel: the time in which the level falls to 0, in seconds.
  private let decays: [Double]
  private let outputs: [Int]
  private let events: Int
  /// By channel: whether an onset was found in the present frame.
  private var isNew: [Bool]

  init(
    _ reader: FluxReader, _ state: OnsetState, settings: [Onset.Settings], outputs: [Int], events: Int
  ) {
    self.reader = reader
    self.state = state
    self.settings = settings.map { .init(sensitivity: $0.sensitivity, gap: $0.gap, gate: $0.gate) }
    gains = settings.map(\.gain)
    decays = settings.map(\.decay)
    self.outputs = outputs
    self.events = events
    isNew = Array(repeating: false, count: outputs.count)
  }

  func run(_ frame: Frame) {
    let stalls = state.stalls.advance(frame)
    for (flux, gain) in zip(reader.fluxes, gains) { flux.gain = gain }
    reader.read(frame) { end in
      for (channel, flux) in reader.fluxes.enumerated() {
        guard
          state.pickers[channel].take(
            flux.attacks.sum(), of: flux.parts.sum(), power: flux.power, settings[channel])
        else { continue }
        // The onset lies in the last quarter of the window.
        let sample = end - Int64(reader.length / 4)
        state.fired[channel] = (sample, stalls)
        isNew[channel] = true
        frame.events.report(Event(output: events, name: "onset", channel: channel, sample: sample))
      }
    }
    for channel in outputs.indices {
      var level = 0.0
      if let fired = state.fired[channel] {
        let age = Double(frame.header.endSample - fired.sample) / Double(frame.rate) + (stalls - fired.stalls)
        // An onset is found some milliseconds after its sample, and may be older than a frame by then. Each one is
        // seen in a frame, however short the decay is.
        level = isNew[channel] ? 1 : age < decays[channel] ? 1 - age / decays[channel] : 0
        isNew[channel] = false
        if level == 0 { state.fired[channel] = nil }
      }
      frame.levels[outputs[channel]] = Float(level)
    }
  }
}
