import CRealtime
import Graphs
import Synchronization

/// The levels of an output as they stand, and the time of its schedules: kept from plan to plan, and from setting to setting,
/// of which a crossfade makes one in every frame. [frame]
final class OutputLevels: @unchecked Sendable {
  /// A frame, for what comes between it and the next.
  struct Newest {
    /// When it ended, in nanoseconds of the monotonic clock.
    let time: UInt64
    /// Where it ended, in seconds of the timeline.
    let end: Double
    /// How long it was, in seconds.
    let seconds: Double
    let isFreewheeling: Bool
  }

  /// How many levels there are.
  let channels: Int
  /// Their unit.
  let type: PortType
  /// The time of the schedules. The timeline stands still while no callback runs, but the lights must follow the fall.
  var time = -Double.infinity
  /// The newest frame; nil before the first.
  private(set) var newest: Newest?
  /// The levels of that frame, and what each is while nothing plays.
  let levels: UnsafeMutableBufferPointer<Float>
  let rest: UnsafeMutableBufferPointer<Float>
  /// Whether the dark values of a blackout have been sent.
  var isDark = false
  /// What goes out in the dark, and what goes out now.
  let dark: UnsafeMutableBufferPointer<Float>
  let values: UnsafeMutableBufferPointer<Float>
  /// The largest values of late frames that were not sent, and whether there are any.
  private let peaks: UnsafeMutableBufferPointer<Float>
  private var hasPeaks = false
  /// What holds each level and the events down where flashes are limited.
  var flashes: [FlashLimit] = []
  var eventFlashes = EventFlashLimit()
  /// The first of the values, as bits. [any]
  let first = Atomic<UInt32>(0)

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

  /// Takes the levels of a frame, by runs of their numbers, and lets the schedules go on.
  func take(_ frame: Frame, _ inputs: [Range<Int>]) {
    time = frame.time(after: time)
    newest = Newest(
      time: frame.header.time, end: frame.end, seconds: frame.seconds, isFreewheeling: frame.isFreewheeling)
    guard let levels = levels.baseAddress, let rest = rest.baseAddress else { return }
    var channel = 0
    for run in inputs {
      (levels + channel).update(from: frame.levels + run.lowerBound, count: run.count)
      // Of levels 0…1 nobody asks for it.
      if type != .level, type != .light {
        (rest + channel).update(from: frame.rest + run.lowerBound, count: run.count)
      }
      channel += run.count
    }
  }

  /// Makes what goes out of all levels 0…1, and the dark: those at places that are not dimmed go out as they are. [frame]
  func dim(_ dimming: Dimming, but undimmed: [Int]) {
    guard let values = values.baseAddress, let levels = levels.baseAddress else { return }
    if dimming.isBlackout {
      values.update(repeating: 0, count: channels)
    } else {
      vg_dim_levels(values, levels, dimming.master, channels)
    }
    for channel in undimmed { (values[channel], dark[channel]) = (levels[channel], levels[channel]) }
  }

  /// A late frame: the lights only get the newest, but a peak must not be lost.
  func remember() {
    for channel in 0..<channels where values[channel] > peaks[channel] { peaks[channel] = values[channel] }
    hasPeaks = true
  }

  /// The peaks of late frames, where one of them is above what goes out now; of what is not dimmed, such as where a lamp
  /// points, what goes out now.
  func standingOut(_ isDimmed: [Bool]) -> UnsafeBufferPointer<Float>? {
    guard hasPeaks else { return nil }
    for channel in 0..<channels where !isDimmed[channel] { peaks[channel] = values[channel] }
    return (0..<channels).contains { peaks[$0] > values[$0] } ? UnsafeBufferPointer(peaks) : nil
  }

  func forget() {
    guard hasPeaks else { return }
    hasPeaks = false
    peaks.update(repeating: -.infinity)
  }
}
