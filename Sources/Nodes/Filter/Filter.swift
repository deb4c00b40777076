import Glibc
import CRealtime
import Engine
import Graphs
import Realtime

/// A low-pass, high-pass or band-pass filter of second order.
enum Filter: RunnableNode {
  static let name = "filter"
  static let help = """
    Lets low, high or a band of frequencies pass: a second order filter with the responses of the RBJ Audio EQ \
    Cookbook, 12 dB per octave beyond the corner, 6 dB on either side of a band. A setting that changes while it runs \
    moves over one frame without a click, and `pass` crossfades. It moves no faster than the filter itself decays: \
    down to 1 Hz takes 0.7 s, and `q` falls by 1 in 1.3 periods of the corner.
    """

  /// The passband.
  enum Pass: String, FieldChoice {
    case low, high, band
    var help: String {
      switch self {
      case .low: "what is below the frequency"
      case .high: "what is above the frequency"
      case .band: "what is around the frequency, as wide as `q` says"
      }
    }
  }

  struct Settings: FieldRecord {
    var pass = Pass.low
    /// Cutoff or center frequency, in Hz.
    var frequency = 1000.0
    /// Resonance; for a band, center frequency over bandwidth.
    var q = 0.7071067811865476

    static let recordName = "filter"
    static let fields: [Field<Settings>] = [
      Field("pass", \.pass, each: true, "What passes."),
      Field(
        "frequency", \.frequency, .number(.hertz, 1...384_000), each: true,
        "The corner, or the middle of the band; beyond 49 % of the sample rate it acts as 49 %."),
      Field(
        "q", \.q, .number(.none, 0.05...100), each: true,
        "Resonance at the corner (0.707 has none), or the band's frequency over its width."),
    ]
    init() {}
  }

  static func inputs(_ settings: Settings) -> [InputPort] {
    [InputPort("in", [.audio], "The sound to filter.")]
  }
  static func outputs(_ settings: Settings) -> [OutputPort] {
    [OutputPort("out", .type(.audio), "The same channels, filtered.")]
  }

  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts {
    let channels = context.outputs[0].channels.count
    let state = context.keep { BlockState(FilterBlock(channels: channels)) }
    let goals = (0..<channels).map {
      goal(context.settings[$0], rate: Double(context.configuration.sampleRate))
    }
    return NodeParts(block: BlockPart(FilterBlock.self, state) { .init(goals: $0.array(goals)) })
  }
}

extension Filter {
  /// The coefficients to reach, for a sample rate in Hz: the responses of the bilinear transform, as in Robert
  /// Bristow-Johnson's Audio EQ Cookbook. The band-pass has 0 dB at its center.
  static func goal(_ settings: Settings, rate: Double) -> vg_filter_goal {
    let g = tan(Double.pi * min(settings.frequency, 0.49 * rate) / rate)
    let k = 1 / settings.q
    let parts =
      switch settings.pass {
      case .low: vg_filter_parts(input: 0, band: 0, low: 1)
      case .high: vg_filter_parts(input: 1, band: -1, low: -1)
      case .band: vg_filter_parts(input: 0, band: 1, low: 0)
      }
    return vg_filter_goal(g: g, corner: log2(g), k: k, damping: log2(k), parts: parts)
  }
}
