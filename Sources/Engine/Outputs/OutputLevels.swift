import Graphs
import Synchronization

/// The current levels of an output, and the clock of its send schedules. It is kept from plan to plan, and when
/// settings change, as they do in every frame of a fade. [frame]
final class OutputLevels: @unchecked Sendable {
  /// The newest frame, for packets that are sent between it and the next.
  struct Newest {
    /// When it ended, in nanoseconds of the monotonic clock.
    let endedAt: UInt64
    /// Its end, in seconds of the timeline.
    let timelineEnd: Double
    /// Its length, in seconds.
    let seconds: Double
    let isFreewheeling: Bool
  }

  let channels: Int
  /// The type of the levels.
  let type: PortType
  /// The clock of send schedules, in seconds. It goes on while the timeline stands still, because lights must follow
  /// the fall of levels.
  var time = -Double.infinity
  /// The newest frame; nil before the first.
  private(set) var newest: Newest?
  /// By channel: the level of that frame.
  let levels: UnsafeMutableBufferPointer<Float>
  /// By channel: the level while nothing plays.
  let rest: UnsafeMutableBufferPointer<Float>
  /// Whether the dark values of a blackout have been sent.
  var isDark = false
  /// By channel: the value in the dark.
  let dark: UnsafeMutableBufferPointer<Float>
  /// By channel: the value now.
  let values: UnsafeMutableBufferPointer<Float>
  /// The largest values of late frames that were not sent; -∞ where there are none.
  private let peaks: UnsafeMutableBufferPointer<Float>
  private var hasPeaks = false
  /// The limiters of each level and of the events, where flashes are limited.
  var flashes: [FlashLimit] = []
  var eventFlashes = EventFlashLimit()
  /// The first value as bits, for the example that reports show from any thread. [any]
  let exampleBits = Atomic<UInt32>(0)

  init(channels: Int, type: PortType) {
    self.channels = channels
    self.type = type
    func floats(_ value: Float) -> UnsafeMutableBufferPointer<Float> {
      let floats = UnsafeMutableBufferPointer<Float>.allocate(capacity: channels)
      floats.initialize(repeating: value)
      return floats
    }
    (levels, rest, values) = (floats(0), floats(0), floats(0))
    (dark, peaks) = (floats(Dimming.dark(type, rest: 0)), floats(-.infinity))
  }

  deinit { for floats in [levels, rest, values, dark, peaks] { floats.deallocate() } }

  /// Copies the levels of a frame, by ranges of their numbers, and advances the clock of schedules.
  func take(_ frame: Frame, _ inputs: [Range<Int>]) {
    time = frame.time(after: time)
    newest = Newest(
      endedAt: frame.header.time, timelineEnd: frame.end, seconds: frame.seconds,
      isFreewheeling: frame.isFreewheeling)
    guard let levels = levels.baseAddress, let rest = rest.baseAddress else { return }
    var channel = 0
    for run in inputs {
      (levels + channel).update(from: frame.levels + run.lowerBound, count: run.count)
      // Levels 0…1 are 0 while nothing plays.
      if type != .level, type != .light {
        (rest + channel).update(from: frame.rest + run.lowerBound, count: run.count)
      }
      channel += run.count
    }
  }

  /// Computes the values of levels 0…1. Channels of `undimmed` keep their levels, also in the dark.
  func dim(_ dimming: Dimming, except undimmed: [Int]) {
    guard let values = values.baseAddress, let levels = levels.baseAddress else { return }
    dimming.dim(levels, into: values, count: channels)
    for channel in undimmed { (values[channel], dark[channel]) = (levels[channel], levels[channel]) }
  }

  /// Keeps the peaks of a late frame: lights get only the newest frame, but no peak may be lost.
  func remember() {
    for channel in 0..<channels where values[channel] > peaks[channel] { peaks[channel] = values[channel] }
    hasPeaks = true
  }

  /// Sets the peaks of channels that are not dimmed, such as pan, to their values. Then returns the peaks of late
  /// frames if one of them is above the present value; else nil.
  func peaksAboveValues(_ isDimmed: [Bool]) -> UnsafeBufferPointer<Float>? {
    guard hasPeaks else { return nil }
    for channel in 0..<channels where !isDimmed[channel] { peaks[channel] = values[channel] }
    return (0..<channels).contains { peaks[$0] > values[$0] } ? UnsafeBufferPointer(peaks) : nil
  }

  /// Drops the peaks of late frames.
  func forget() {
    guard hasPeaks else { return }
    hasPeaks = false
    peaks.update(repeating: -.infinity)
  }
}
