import Engine
import Graphs
import Metering

#if canImport(Glibc)
  import Glibc
#endif

/// Measures pairs of channels: correlation, width and balance.
enum Stereo: RunnableNode {
  static let name = "stereo"
  static let help = """
    Measures pairs of channels, the first with the second, the third with the fourth: `correlation` from 1 (the same) \
    over 0 (nothing in common) to -1 (opposed, which vanishes in mono), `width` as the energy of the side over that \
    of the middle, in dB, and `balance` as that of the right over that of the left, in dB. The sums decay with the \
    time constant `window`. While a channel is silent (below -100 dBFS), `correlation` and `valid` are 0.
    """
  static let delay: String? = "63 % of a step after `window`"

  struct Settings: FieldRecord {
    /// Time constant, in seconds.
    var window = 0.6
    var names: [String] = []

    static let recordName = "stereo"
    static let fields: [Field<Settings>] = [
      Field("window", \.window, .number(.seconds, 0.001...60), "The time constant of the sums."),
      Field(
        "names", \.names, .channelNames(),
        "The names of the pairs; by default what the names of both channels have in common."),
    ]
    init() {}
  }

  static func inputs(_ settings: Settings) -> [InputPort] {
    [InputPort("in", [.audio], "Pairs of channels.")]
  }
  static func outputs(_ settings: Settings) -> [OutputPort] {
    [
      OutputPort("correlation", .type(.number), "-1…1."),
      OutputPort("width", .type(.number), in: .decibels, "Side over middle, -60…60."),
      OutputPort("balance", .type(.number), in: .decibels, "Right over left, -60…60."),
      OutputPort("valid", .type(.level), "1 where both channels have sound, else 0."),
    ]
  }

  static func shape(_ shaping: Shaping<Settings>) -> [[Channel]] {
    let channels = shaping.inputs[0].channels
    if channels.count % 2 != 0 {
      shaping.report(
        "unpaired-channel", nil,
        "\(channels.count) \(channels.count == 1 ? "channel arrives" : "channels arrive"), and it measures pairs; wire an "
          + "even number to it")
    }
    let pairs = stride(from: 0, to: channels.count - 1, by: 2).enumerated().map { index, left in
      Channel(index + 1, name: Channel.commonName(of: Array(channels[left...left + 1])))
    }
    return Array(repeating: shaping.named(pairs, by: shaping.settings.all.names), count: 4)
  }

  static func sourceChannels(output: Int, channel: Int, shaping: Shaping<Settings>) -> [Int]? {
    [2 * channel, 2 * channel + 1]
  }

  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts {
    let pairs = context.outputs[0].channels.count
    let block = context.keep { BlockState(StereoBlock(pairs: pairs)) }
    let state = context.keep { StereoState(pairs: pairs) }
    let firstValue = context.claimValues(3 * pairs)
    return NodeParts(
      block: BlockPart(StereoBlock.self, block, firstValue: firstValue) { _ in .init() },
      frame: StereoFrame(
        state, window: context.settings.all.window, firstValue: firstValue, outputs: context.levelOutputs))
  }
}

/// The smoothed means of left², right² and left × right of each pair; kept from plan to plan. [frame]
final class StereoState {
  var sums: [SIMD3<Double>]

  init(pairs: Int) { sums = Array(repeating: SIMD3(), count: pairs) }
}

/// Computes correlation, width and balance from sums of products. [frame]
final class StereoFrame: FrameNode {
  private let state: StereoState
  /// The time constant, in seconds.
  private let window: Double
  /// The number of the block's first value in records.
  private let firstValue: Int
  private let outputs: [[Int]]
  /// Mean squares below this count as silence: -100 dBFS.
  private static let silence = 1e-10

  init(_ state: StereoState, window: Double, firstValue: Int, outputs: [[Int]]) {
    self.state = state
    self.window = window
    self.firstValue = firstValue
    self.outputs = outputs
  }

  func run(_ frame: Frame) {
    let keep = exp(-frame.seconds / window)
    let samples = Double(max(1, frame.header.samples))
    for pair in outputs[0].indices {
      let value = firstValue + 3 * pair
      let squares = frame.record.sums
      let mean = SIMD3(squares[value], squares[value + 1], squares[value + 2]) / samples
      state.sums[pair] = state.sums[pair] * keep + mean * (1 - keep)
      let sums = state.sums[pair]
      let (left, right, product) = (sums.x, sums.y, sums.z)
      let isValid = left > Self.silence && right > Self.silence
      let correlation = isValid ? max(-1, min(1, product / (left * right).squareRoot())) : 0
      frame.levels[outputs[0][pair]] = Float(correlation)
      frame.levels[outputs[1][pair]] = Self.ratio(left + right - 2 * product, left + right + 2 * product)
      frame.levels[outputs[2][pair]] = Self.ratio(right, left)
      frame.levels[outputs[3][pair]] = isValid ? 1 : 0
    }
  }

  /// The ratio of two energies in dB, clamped to ±60; 0 where both are silent.
  private static func ratio(_ above: Double, _ below: Double) -> Float {
    let (above, below) = (max(0, above), max(0, below))
    guard max(above, below) > silence else { return 0 }
    return Float(max(-60, min(60, 10 * log10(max(above, 1e-30) / max(below, 1e-30)))))
  }
}
