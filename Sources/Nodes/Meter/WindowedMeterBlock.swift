import CRealtime
import Engine
import Glibc
import Graphs
import Realtime

/// The peak of the frame, and a mean square with an exponential window. [audio]
struct WindowedMeterBlock: ~Copyable, Block {
  struct Settings: BitwiseCopyable {
    /// The coefficient of the one-pole filter on the squares.
    let rate: Double
  }

  private let means: UnsafeMutablePointer<Double>
  private let peaks: UnsafeMutablePointer<Float>

  init(channels: Int) {
    means = .allocate(capacity: max(1, channels))
    means.initialize(repeating: 0, count: max(1, channels))
    peaks = .allocate(capacity: max(1, channels))
    peaks.initialize(repeating: 0, count: max(1, channels))
  }

  deinit {
    means.deallocate()
    peaks.deallocate()
  }

  /// 1 − e^(−1/(seconds × rate)): the mean reaches 63 % of a step after `seconds`.
  static func rate(seconds: Double, sampleRate: Int) -> Double { -expm1(-1 / (seconds * Double(sampleRate))) }

  @inline(__always) @_noLocks
  mutating func process(_ io: IO, _ settings: UnsafePointer<Settings>, _ cycle: Cycle) {
    var channel: UInt32 = 0
    while channel < io.pointee.inputCount {
      let bad = vg_mean_square(
        means + Int(channel), peaks + Int(channel), cycle.input(io, channel),
        UInt32(truncatingIfNeeded: cycle.count), settings.pointee.rate)
      if bad > 0 { cycle.counters.pointee.notFinite.add(UInt64(bad)) }
      channel &+= 1
    }
  }

  @inline(__always) @_noLocks
  mutating func finish(_ io: IO, _ settings: UnsafePointer<Settings>, _ frame: FrameEnd) {
    var channel = 0
    while channel < Int(io.pointee.inputCount) {
      let value = Int(io.pointee.firstValue) &+ channel
      frame.pointee.sums[value] = means[channel] * Double(frame.pointee.length)
      frame.pointee.peaks[value] = peaks[channel]
      peaks[channel] = 0
      channel &+= 1
    }
  }

  static var processing: vg_process { { runBlock(WindowedMeterBlock.self, $0, $1) } }
  static var finishing: vg_finish? { { finishBlock(WindowedMeterBlock.self, $0, $1) } }
}

/// The window of a mean square.
enum MeterWindow: FieldValue, Equatable {
  case frame
  /// An exponential window with this time constant, in seconds.
  case seconds(Double)

  private static let time = ValueKind.number(.seconds, 0.001...60)
  static let kind = ValueKind.oneOf([.choice([ValueKind.Choice("frame", "the frame")]), time])

  static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> MeterWindow? {
    if case .scalar("frame", _) = tree.content { return .frame }
    return Double.read(tree, as: time, context).map { .seconds($0) }
  }

  func written(as kind: ValueKind) -> String {
    switch self {
    case .frame: "frame"
    case .seconds(let seconds): seconds.written(as: Self.time)
    }
  }
}

/// The speed at which a level falls: the time for 60 dB, or decibels per second.
struct Release: FieldValue, Equatable {
  /// Decibels per second; infinity falls at once.
  let decibelsPerSecond: Double
  private let text: String

  /// The time for a fall of 60 dB, in seconds.
  init(seconds: Double) {
    decibelsPerSecond = seconds > 0 ? 60 / seconds : .infinity
    text = seconds.written(as: Self.time)
  }

  init(decibelsPerSecond: Double) {
    self.decibelsPerSecond = decibelsPerSecond
    text = "\(decibelsPerSecond) dB/s"
  }

  private static let time = ValueKind.number(.seconds, 0...600)
  static let kind = ValueKind.oneOf([
    time, .text(pattern: "^ *\\+?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+)? *dB/s *$"),
  ])

  static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> Release? {
    let quantity = tree.text.flatMap(Quantity.init)
    if let quantity, quantity.unit == "dB/s" {
      guard (0.1...100_000).contains(quantity.number) else {
        context.expected("a time such as 1.24 s, or 0.1 dB/s … 100000 dB/s", tree)
        return nil
      }
      return Release(decibelsPerSecond: quantity.number)
    }
    guard quantity != nil else {
      context.expected("a time 0…600 s, or a speed such as 20 dB/s", tree)
      return nil
    }
    return Double.read(tree, as: time, context).map { Release(seconds: $0) }
  }

  func written(as kind: ValueKind) -> String { text }
}
