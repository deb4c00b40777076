import Engine
import Graphs
import Metering
import Realtime

/// Measures how loud each channel is.
enum Meter: RunnableNode {
  static let name = "meter"
  static let role: NodeRole? = .meter
  static let help = """
    Measures how loud each channel is, by itself, in one pass: `average` from the mean square, `peak` from the largest \
    magnitude of each frame, both in dBFS, -160 at the floor. Rise, hold and fall are in seconds, so that nothing \
    depends on the period or on fps.

    Rise: L ← T − (T − L)·e^(−Δt/attack) on amplitudes. Fall: 60 dB per `release`, straight in decibels.
    """

  /// What reads 0 dBFS.
  enum Reference: String, FieldChoice {
    case sine, rms
    var help: String {
      switch self {
      case .sine: "a full-scale sine reads 0 dBFS average (mean square + 3.01 dB)"
      case .rms: "a full-scale square wave reads 0 dBFS average, a sine -3.01"
      }
    }
  }

  /// The settings of a meter.
  struct Settings: FieldRecord {
    /// What the mean square is taken over.
    var window = MeterWindow.frame
    /// In seconds.
    var attack = 0.0
    /// In seconds.
    var hold = 0.0
    /// How fast it falls.
    var release = Release(seconds: 1.24)
    /// What reads 0 dBFS.
    var reference = Reference.sine

    static let recordName = "meter"
    static let fields: [Field<Settings>] = [
      Field(
        "window", \.window, change: .rebuild,
        "What the mean square is taken over: the frame, or a time constant in seconds, which makes it independent of "
          + "fps (one pole on the squares, sample by sample)."),
      Field(
        "attack", \.attack, .number(.seconds, 0...60), each: true,
        "The time in which a rise covers 63 % of its way; 0 rises at once."),
      Field("hold", \.hold, .number(.seconds, 0...60), each: true, "How long it stays up before it falls."),
      Field(
        "release", \.release, each: true,
        "The time to fall by 60 dB; or a speed such as `20 dB/s`; 0 falls at once."),
      Field("reference", \.reference, each: true, "What reads 0 dBFS average."),
    ]
    init() {}

    var manner: Ballistics.Manner {
      Ballistics.Manner(attack: attack, hold: hold, fall: release.decibelsPerSecond)
    }
  }

  static func inputs(_ settings: Settings) -> [InputPort] {
    [InputPort("in", [.audio], "What is measured.")]
  }
  static func outputs(_ settings: Settings) -> [OutputPort] {
    [
      OutputPort("average", .type(.decibels), "The mean square of the frame, in dBFS."),
      OutputPort("peak", .type(.decibels), "The largest magnitude of the frame, in dBFS."),
    ]
  }

  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts {
    let channels = context.outputs[0].channels.count
    let state = context.keep { MeterState(channels: channels) }
    let first = context.claimValues(channels)
    let frame = MeterFrame(
      state, settings: (0..<channels).map { context.settings[$0] }, firstValue: first,
      averages: context.levelOutputs[0], peaks: context.levelOutputs[1])
    let block: BlockPart
    switch context.settings.all.window {
    case .frame:
      let state = context.keep { BlockState(MeterBlock(channels: channels)) }
      block = BlockPart(MeterBlock.self, state, firstValue: first) { _ in .init() }
    case .seconds(let seconds):
      let state = context.keep { BlockState(WindowedMeterBlock(channels: channels)) }
      let rate = WindowedMeterBlock.rate(seconds: seconds, sampleRate: context.configuration.sampleRate)
      block = BlockPart(WindowedMeterBlock.self, state, firstValue: first) { _ in .init(rate: rate) }
    }
    return NodeParts(block: block, frame: frame)
  }
}

/// Turns the values of a frame into levels in dBFS that rise, hold and fall. [frame]
final class MeterFrame: FrameNode {
  private let state: MeterState
  private let manners: [Ballistics.Manner]
  private let scales: [Double]
  private let firstValue: Int
  private let averages: [Int]
  private let peaks: [Int]

  init(_ state: MeterState, settings: [Meter.Settings], firstValue: Int, averages: [Int], peaks: [Int]) {
    self.state = state
    manners = settings.map(\.manner)
    scales = settings.map { $0.reference == .sine ? 2 : 1 }
    self.firstValue = firstValue
    self.averages = averages
    self.peaks = peaks
  }

  func run(_ frame: Frame) {
    let samples = Double(max(1, frame.header.samples))
    for channel in averages.indices {
      let power = frame.record.squares[firstValue + channel] / samples * scales[channel]
      let peak = Double(frame.record.peaks[firstValue + channel])
      frame.levels[averages[channel]] = state.averages[channel].move(
        to: max(Decibels.floor, Decibels.of(power: power)), over: frame.seconds, manners[channel])
      frame.levels[peaks[channel]] = state.peaks[channel].move(
        to: max(Decibels.floor, Decibels.of(amplitude: peak)), over: frame.seconds, manners[channel])
    }
  }
}

/// Where the needles of a meter stand; kept from plan to plan. Plain memory: an array would be checked at every step.
/// [frame]
final class MeterState {
  let averages: UnsafeMutablePointer<Ballistics>
  let peaks: UnsafeMutablePointer<Ballistics>

  init(channels: Int) {
    averages = .allocate(capacity: max(1, channels))
    averages.initialize(repeating: Ballistics(), count: max(1, channels))
    peaks = .allocate(capacity: max(1, channels))
    peaks.initialize(repeating: Ballistics(), count: max(1, channels))
  }

  deinit {
    averages.deallocate()
    peaks.deallocate()
  }
}
