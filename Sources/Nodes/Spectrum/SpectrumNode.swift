import Engine
import Graphs
import Metering
import Realtime

/// Shows the spectrum of sound as the points of a curve.
enum SpectrumNode: RunnableNode {
  static let name = "spectrum"
  static let role: NodeRole? = .picture
  static let help = """
    Shows which frequencies each channel is made of, as the points of a curve: the magnitude in dBFS at frequencies \
    that stand evenly on a logarithmic axis; a full-scale sine reads 0. Every channel becomes `points` channels, \
    named such as `Left.1k`. An `osc-output` with `send: vector` sends a curve in one message; pages and surfaces \
    listen to `/visgraph/level/ID`. For the level of a whole band use `bands`.

    A Hann window ends with each frame. A point to which several bins of the transform belong shows the loudest of \
    them, any other point what lies between two bins. A tone between two bins reads up to 1.4 dB too little. Points \
    above half the sample rate read -160.

    While no wire leaves the node, no levels are written to a file, and no subscriber or page listens to it, nothing \
    is computed and every point reads -160.
    """
  static let delay: String? = "half of `window`"

  struct Settings: FieldRecord {
    var points = 96
    /// The frequency of the first point, in Hz.
    var from = 20.0
    /// The frequency of the last point, in Hz.
    var to = 20_000.0
    /// The length of the window, in seconds.
    var window = 0.085

    static let recordName = "spectrum"
    static let fields: [Field<Settings>] = [
      Field(
        "points", \.points, .number(.none, 2...2048, whole: true), change: .rebuild,
        "How many points the curve of a channel has."),
      Field(
        "from", \.from, .number(.hertz, 1...192_000), change: .rebuild, "The frequency of the first point."),
      Field("to", \.to, .number(.hertz, 1...192_000), change: .rebuild, "The frequency of the last point."),
      Field(
        "window", \.window, .number(.seconds, 0.001...1), change: .rebuild,
        "The length of the window, rounded to a power of two of samples: long windows tell low tones apart, short "
          + "ones have less delay."),
    ]
    init() {}
  }

  static func inputs(_ settings: Settings) -> [InputPort] {
    [InputPort("in", [.audio], "The sound that is shown.")]
  }
  static func outputs(_ settings: Settings) -> [OutputPort] {
    [OutputPort("out", .type(.decibels), "The magnitudes, point by point, channel by channel.")]
  }

  static func shape(_ shaping: Shaping<Settings>) -> [[Channel]] {
    let settings = shaping.settings.all
    if settings.from >= settings.to {
      shaping.report(
        "empty-range", "to",
        "the curve would end at \(shortest(settings.to)) Hz, not above where it begins")
      return [shaping.inputs[0].channels]
    }
    let frequencies = FrequencyAxis.frequencies(
      count: settings.points, from: settings.from, to: settings.to)
    return [shaping.parts(of: shaping.inputs[0].channels, frequencies.map(BandEdges.name), .points)]
  }

  static func sourceChannels(output: Int, channel: Int, shaping: Shaping<Settings>) -> [Int]? {
    [channel / shaping.settings.all.points]
  }

  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts {
    let settings = context.settings.all
    let rate = context.configuration.sampleRate
    let channels = context.inputs[0].channels.count
    let spectrum = context.keep {
      Spectrum(length: Spectrum.length(seconds: settings.window, rate: Double(rate)))
    }
    let tap = context.keep { TapBlock.tap(channels: channels, lookingBack: spectrum.length, rate: rate) }
    let block = context.keep { BlockState(TapBlock(tap.writer)) }
    let axis = FrequencyAxis(
      count: settings.points, from: settings.from, to: settings.to, length: spectrum.length,
      rate: Double(rate))
    return NodeParts(
      block: BlockPart(TapBlock.self, block) { _ in .init() },
      frame: SpectrumFrame(context, spectrum, axis, tap))
  }
}

/// Measures a window at the end of every frame, channel by channel. [frame]
final class SpectrumFrame: FrameNode {
  private let spectrum: Spectrum
  private let axis: FrequencyAxis
  private let tap: SampleTap
  /// Whether the output is wired.
  private let isHeard: Bool
  private let demand: LevelDemand
  private let outputs: [Int]
  private let samples: UnsafeMutablePointer<Float>
  /// With a Hann window, a sine of amplitude a has the power a²/3 in its bin.
  private static let reference = 3.0

  init(
    _ context: NodeContext<SpectrumNode.Settings>, _ spectrum: Spectrum, _ axis: FrequencyAxis,
    _ tap: SampleTap
  ) {
    self.spectrum = spectrum
    self.axis = axis
    self.tap = tap
    isHeard = context.isHeard
    demand = context.configuration.demand
    outputs = context.levelOutputs[0]
    samples = .allocate(capacity: spectrum.length)
    samples.initialize(repeating: 0, count: spectrum.length)
  }

  deinit { samples.deallocate() }

  func run(_ frame: Frame) {
    let begin = frame.header.endSample - Int64(spectrum.length)
    defer { tap.reader.release(before: begin) }
    guard frame.stalledSeconds == 0, isHeard || demand.isWanted(at: frame.header.time) else {
      for output in outputs { frame.levels[output] = Decibels.floor }
      return
    }
    let points = axis.frequencies.count
    for channel in 0..<(outputs.count / points) {
      tap.reader.read(channel: channel, at: begin, into: samples, count: spectrum.length)
      spectrum.look(at: samples)
      for point in 0..<points {
        let power = Double(axis.power(at: point, in: spectrum.powers))
        frame.levels[outputs[channel * points + point]] = max(
          Decibels.floor, Decibels.of(power: power * Self.reference))
      }
    }
  }
}
