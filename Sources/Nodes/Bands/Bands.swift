import Engine
import Graphs
import Metering
import Realtime

/// Measures the level of each channel in frequency bands.
enum Bands: RunnableNode {
  static let name = "bands"
  static let help = """
    Measures how loud each channel is in bands of frequencies, in dBFS: a full-scale sine within a band reads 0 \
    there, as in `meter`, if the window is long enough to tell the band from its neighbors: 4 / `window` is the least \
    width in Hz. Every channel becomes one channel for each band, named such as `Kick.bass`, which wires select: \
    `bands[Kick.bass]`.

    `method: fft` takes a Hann window at the end of each frame, and several if a frame is longer than half a window; \
    adjacent bands leave nothing out. `method: third-octave` has the 31 filters of IEC 61260-1 class 1, from 20 Hz to \
    20 kHz, and settles after 4 / bandwidth seconds (0.9 s at 20 Hz). Bands above half the sample rate read -160, and \
    so does a third of an octave that reaches beyond 49 % of it, as that of 20 kHz at 44.1 kHz; `run` and `render` \
    name them.
    """
  static let delay: String? =
    "half of `window` (fft; with `auto` 43 ms for the bands that need 85 ms, 11 ms for the others); about 4 / bandwidth seconds, and the time constant `window` (third-octave)"

  /// How bands are measured.
  enum Method: String, FieldChoice {
    case fft
    case thirdOctave = "third-octave"
    var help: String {
      switch self {
      case .fft: "by Fourier transforms, in bands of your choice"
      case .thirdOctave:
        "by the 31 filters of the standard; `count`, `edges` and what belongs to them do not act"
      }
    }
  }

  /// The scale on which bands between `from` and `to` are equally wide.
  enum Scale: String, FieldChoice {
    case log, mel, bark, linear
    var help: String {
      switch self {
      case .log: "equal in octaves"
      case .mel: "equal in mel, the steps of pitch"
      case .bark: "equal in bark, the bands of the ear"
      case .linear: "equal in hertz"
      }
    }
    var frequencies: FrequencyScale {
      switch self {
      case .log: .log
      case .mel: .mel
      case .bark: .bark
      case .linear: .linear
      }
    }
  }

  /// The weight of frequencies beside a band's center.
  enum Shape: String, FieldChoice {
    case rectangle, triangle
    var help: String {
      switch self {
      case .rectangle: "all between its edges"
      case .triangle:
        "less with the distance from its middle, down to nothing at the middles of its neighbors"
      }
    }
  }

  struct Settings: FieldRecord {
    var method = Method.fft
    var count = 16
    /// The lower edge of the first band, in Hz.
    var from = 40.0
    /// The upper edge of the last band, in Hz.
    var to = 16_000.0
    var scale = Scale.log
    /// Edges in place of `count`, `from`, `to` and `scale`.
    var edges = BandEdges.even
    var shape = Shape.rectangle
    var window = BandWindow.seconds(0.043)
    /// Gain over frequency, in dB per octave.
    var slope = 0.0
    var reference = Meter.Reference.sine

    static let recordName = "bands"
    static let fields: [Field<Settings>] = [
      Field("method", \.method, change: .rebuild, "How bands are measured."),
      Field("count", \.count, .number(.none, 1...512, whole: true), change: .rebuild, "How many bands."),
      Field(
        "from", \.from, .number(.hertz, 1...192_000), change: .rebuild, "The lower edge of the first band."),
      Field("to", \.to, .number(.hertz, 1...192_000), change: .rebuild, "The upper edge of the last band."),
      Field("scale", \.scale, change: .rebuild, "How the bands divide the range from `from` to `to`."),
      Field(
        "edges", \.edges, change: .rebuild,
        "The edges themselves, `[20, 120, 2000]` for two bands side by side; or bands with names, which may leave gaps and "
          + "overlap: `{ bass: [20, 120], hats: [6 kHz, 16 kHz] }`."),
      Field("shape", \.shape, change: .rebuild, "How a band weights the frequencies beside its middle."),
      Field(
        "window", \.window, change: .rebuild,
        "The length of the window, rounded to a power of two of samples; long windows tell low bands apart, short "
          + "ones have less delay. `auto`: 85 ms for bands that are less than 4 / 21 ms = 188 Hz wide, 21 ms for the "
          + "others, each "
          + "up to the frame's end; a tone on the border between such bands may read up to 2 dB too much or too little in their sum. For third-octave: the time constant."
      ),
      Field(
        "slope", \.slope, .number(.decibels, -12...12),
        "Decibels for each octave above 1 kHz, and as many less below. On bands that are equal in octaves, as those of "
          + "`log` and third-octave are, pink noise is even at 0 and white noise at -3; on bands equal in hertz, at 3 and 0."
      ),
      Field("reference", \.reference, "What reads 0 dBFS."),
    ]
    init() {}

    /// The bands with their names.
    var bands: [(name: String, band: Band)] {
      if method == .thirdOctave {
        return zip(ThirdOctaves.names, ThirdOctaves.middles).map {
          ($0, Band(low: $1 / 1.122, middle: $1, high: $1 * 1.122))
        }
      }
      if case .named(let entries) = edges {
        return entries.map { ($0.name, Self.band($0.low, $0.high, shape)) }
      }
      var list = scale.frequencies.edges(count, from: from, to: to)
      if case .list(let edges) = edges { list = edges }
      let middles = zip(list, list.dropFirst()).map { ($0 * $1).squareRoot() }
      return middles.enumerated().map { index, middle in
        let isTriangle = shape == .triangle
        let low = isTriangle && index > 0 ? middles[index - 1] : list[index]
        let high = isTriangle && index + 1 < middles.count ? middles[index + 1] : list[index + 1]
        return (
          BandEdges.name(middle), Band(low: low, middle: middle, high: high, isTriangle: isTriangle)
        )
      }
    }

    /// The names of bands that do not fit below half a sample rate.
    func dead(at rate: Int) -> [String] {
      let rate = Double(rate)
      if method == .thirdOctave {
        return ThirdOctaves.names.indices.filter { ThirdOctaves.filter($0, rate: rate) == nil }.map {
          ThirdOctaves.names[$0]
        }
      }
      return bands.filter { $0.band.low >= rate / 2 }.map(\.name)
    }

    private static func band(_ low: Double, _ high: Double, _ shape: Shape) -> Band {
      Band(low: low, middle: (low * high).squareRoot(), high: high, isTriangle: shape == .triangle)
    }
  }

  static func inputs(_ settings: Settings) -> [InputPort] {
    [InputPort("in", [.audio], "The sound to measure.")]
  }
  static func outputs(_ settings: Settings) -> [OutputPort] {
    [OutputPort("out", .type(.decibels), "The level in each band, channel by channel.")]
  }

  static func shape(_ shaping: Shaping<Settings>) -> [[Channel]] {
    let settings = shaping.settings.all
    if settings.method == .fft, case .even = settings.edges, settings.from >= settings.to {
      shaping.report(
        "edges-out-of-order", "to",
        "the last band would end at \(shortest(settings.to)) Hz, below where the first begins")
      return [shaping.inputs[0].channels]
    }
    if let fault = settings.edges.fault {
      shaping.report("edges-out-of-order", "edges", fault)
      return [shaping.inputs[0].channels]
    }
    return [shaping.parts(of: shaping.inputs[0].channels, settings.bands.map(\.name), .bands)]
  }

  static func sourceChannels(output: Int, channel: Int, shaping: Shaping<Settings>) -> [Int]? {
    [channel / max(1, shaping.settings.all.bands.count)]
  }

  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts {
    let settings = context.settings.all
    let channels = context.inputs[0].channels.count
    let rate = context.configuration.sampleRate
    let scale = BandScale(settings)
    let outputs = context.levelOutputs[0]
    let dead = context.keep { DeadBands(settings.dead(at: rate), of: context.id, rate: rate) }
    if settings.method == .thirdOctave {
      let block = context.keep { BlockState(BandFilterBlock(channels: channels, rate: rate)) }
      let state = context.keep { BandMeans(count: outputs.count) }
      let firstValue = context.claimValues(outputs.count)
      return NodeParts(
        block: BlockPart(BandFilterBlock.self, block, firstValue: firstValue) { _ in .init() },
        frame: BandFilterFrame(
          state, window: settings.window.timeConstant, scale: scale, firstValue: firstValue, outputs: outputs),
        control: dead)
    }
    let bands = settings.bands.map(\.band)
    let powers = context.keep { BandPowers(bands, window: settings.window.length, rate: Double(rate)) }
    let tap = context.keep { TapBlock.tap(channels: channels, lookingBack: powers.longest, rate: rate) }
    let block = context.keep { BlockState(TapBlock(tap.writer)) }
    return NodeParts(
      block: BlockPart(TapBlock.self, block) { _ in .init() },
      frame: BandsFrame(powers, tap: tap, channels: channels, scale: scale, outputs: outputs),
      control: dead)
  }
}
