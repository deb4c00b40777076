import Engine
import Graphs
import Metering
import Realtime

/// Measures the level of each channel.
enum Meter: RunnableNode {
  static let name = "meter"
  static let role: NodeRole? = .meter
  static let help = """
    Measures how loud each channel is, by itself, in one pass: `average` from the mean square, `peak` from the \
    largest magnitude of each frame, both in dBFS, with a floor of -160. Rise, hold and fall are in seconds, so that \
    nothing depends on the cycle size or on fps.

    Rise: L ← T − (T − L)·e^(−Δt/attack) on amplitudes. Fall: 60 dB per `release`, straight in decibels.

    With other `ballistics` than peak-rms the average moves sample by sample, as that standard defines it. Then \
    `window` and `reference` do not act, nor do `attack`, `hold` and `release` on the average. A sine reads its peak \
    in dBFS, and `reading` is the same in the meter's own unit.
    """

  /// Which signal reads 0 dBFS.
  enum Reference: String, FieldChoice {
    case sine, rms
    /// The factor on the mean square.
    var scale: Double { self == .sine ? 2 : 1 }
    var help: String {
      switch self {
      case .sine: "a full-scale sine reads 0 dBFS average (mean square + 3.01 dB)"
      case .rms: "a full-scale square wave reads 0 dBFS average, a sine -3.01"
      }
    }
  }

  struct Settings: FieldRecord {
    var ballistics = MeterBallistics.peakRMS
    /// The level of the test tone, in dBFS.
    var alignment = -18.0
    var window = MeterWindow.frame
    /// Time constant of a rise, in seconds.
    var attack = 0.0
    /// How long a level stays before it falls, in seconds.
    var hold = 0.0
    var release = Release(seconds: 1.24)
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
      Field(
        "ballistics", \.ballistics, change: .rebuild, "How the average moves, and in what unit it is read."),
      Field(
        "alignment", \.alignment, .number(.decibels, -60...0), each: true,
        "The level of the test tone that reads 0 VU, 0 dB of ppm-i and ppm-iib, or 4 of ppm-iia."),
    ]
    init() {}

    var manner: Ballistics.Manner {
      Ballistics.Manner(attack: attack, hold: hold, fall: release.decibelsPerSecond)
    }
  }

  static func inputs(_ settings: Settings) -> [InputPort] {
    [InputPort("in", [.audio], "The sound to measure.")]
  }
  static func outputs(_ settings: Settings) -> [OutputPort] {
    let standard = [
      OutputPort("average", .type(.decibels), "The mean square of the frame."),
      OutputPort("peak", .type(.decibels), "The largest magnitude of the frame."),
    ]
    guard settings.ballistics != .peakRMS else { return standard }
    return standard + [
      OutputPort(
        "reading", .type(.number), in: settings.ballistics.unit, "The average in the unit of the meter.")
    ]
  }

  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts {
    let channels = context.outputs[0].channels.count
    let state = context.keep { MeterState(channels: channels) }
    let firstValue = context.claimValues(channels)
    let settings = context.settings.map(channels) { $0 }
    let ballistics = context.settings.all.ballistics
    let levels = MeterFrame.Levels(context)
    let rate = context.configuration.sampleRate
    let block: BlockPart
    if ballistics.isProgramMeter {
      let state = context.keep {
        BlockState(ProgramMeterBlock(channels: channels, ballistics.law(rate: rate)))
      }
      _ = context.claimValues(channels)
      block = BlockPart(ProgramMeterBlock.self, state, firstValue: firstValue) { _ in .init() }
    } else if case .seconds(let seconds) = ballistics.window ?? context.settings.all.window {
      let state = context.keep { BlockState(WindowedMeterBlock(channels: channels)) }
      let coefficient = WindowedMeterBlock.coefficient(seconds: seconds, sampleRate: rate)
      block = BlockPart(WindowedMeterBlock.self, state, firstValue: firstValue) { _ in
        .init(coefficient: coefficient)
      }
    } else {
      let state = context.keep { BlockState(MeterBlock(channels: channels)) }
      block = BlockPart(MeterBlock.self, state, firstValue: firstValue) { _ in .init() }
    }
    let frame = MeterFrame(state, settings: settings, firstValue: firstValue, levels: levels)
    return NodeParts(block: block, frame: frame)
  }
}

/// Converts the values of a frame to levels in dBFS with attack, hold and release. [frame]
final class MeterFrame: FrameNode {
  /// The numbers of the output levels, by channel.
  struct Levels {
    let averages: [Int]
    let peaks: [Int]
    /// Empty for peak-rms.
    let readings: [Int]

    init(_ context: NodeContext<Meter.Settings>) {
      averages = context.levelOutputs[0]
      peaks = context.levelOutputs[1]
      readings = context.levelOutputs.count > 2 ? context.levelOutputs[2] : []
    }
  }

  private let state: MeterState
  private let manners: [Ballistics.Manner]
  private let scales: [Double]
  private let firstValue: Int
  private let levels: Levels
  private let ballistics: MeterBallistics
  private let alignments: [Double]

  init(_ state: MeterState, settings: [Meter.Settings], firstValue: Int, levels: Levels) {
    self.state = state
    manners = settings.map(\.manner)
    scales = settings.map(\.reference.scale)
    alignments = settings.map(\.alignment)
    ballistics = settings.first?.ballistics ?? .peakRMS
    self.firstValue = firstValue
    self.levels = levels
  }

  func run(_ frame: Frame) {
    let samples = Double(max(1, frame.header.samples))
    for channel in levels.averages.indices {
      let power = frame.record.sums[firstValue + channel] / samples
      let peak = Double(frame.record.peaks[firstValue + channel])
      if ballistics == .peakRMS {
        frame.levels[levels.averages[channel]] = state.averages[channel].move(
          to: max(Decibels.floor, Decibels.of(power: power * scales[channel])), over: frame.seconds,
          manners[channel])
      } else {
        let level = average(channel, power, frame.record)
        frame.levels[levels.averages[channel]] = level
        frame.levels[levels.readings[channel]] = Float(
          ballistics.reading(Double(level), alignment: alignments[channel]))
      }
      frame.levels[levels.peaks[channel]] = state.peaks[channel].move(
        to: max(Decibels.floor, Decibels.of(amplitude: peak)), over: frame.seconds, manners[channel])
    }
  }

  /// The average of a meter with standard ballistics, in dBFS. For the K-System it is the mean square; otherwise it
  /// is the block's reading, which follows the peaks in the record.
  private func average(_ channel: Int, _ power: Double, _ record: Record) -> Float {
    if ballistics.window != nil { return max(Decibels.floor, Decibels.of(power: 2 * power)) }
    let reading = record.peaks[firstValue + levels.averages.count + channel]
    return max(Decibels.floor, Decibels.of(amplitude: Double(reading)))
  }
}

/// The ballistics of each channel; kept from plan to plan. They are plain memory, because an array is checked for
/// exclusive access and bounds at every step. [frame]
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
