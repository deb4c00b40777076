import Graphs

/// Limits light so that it does not flash more often than allowed. [frame]
///
/// A flash is a pair of opposing changes of 10 % or more of the maximum light, as WCAG 2.2 (success criterion 2.3.1)
/// defines it. Only rises are limited: once the allowed number has come within the last second, the light stays less
/// than 10 % above its lowest value since. A fall always passes, so a blackout acts at once.
public struct FlashLimit: Sendable {
  /// The change that counts, as a fraction of the maximum light.
  public static let step: Float = 0.1
  /// The change that counts in this limiter.
  private let step: Float
  /// When the last rises reached their highest value.
  private var rises = FlashTimes()
  /// Whether the light has risen, and has not fallen since.
  private var isUp = false
  /// The highest light since it rose, or the lowest since it fell.
  private var extreme: Float = 0

  /// Starts in the dark. A smaller `step` counts smaller changes, such as those of the mean of a region of a picture.
  public init(step: Float = FlashLimit.step) { self.step = step }

  /// The maximum light at a time in seconds, which must not go back.
  ///
  /// - Parameter most: the number of flashes allowed in a second.
  public func most(at time: Double, flashes most: Int) -> Float {
    isUp || rises.hasRoom(at: time, flashes: most) ? .infinity : extreme + 0.99 * step
  }

  /// Notes the light that is shown at a time; NaN is ignored.
  public mutating func note(_ light: Float, at time: Double) {
    if isUp {
      if light > extreme {
        extreme = light
        rises.moveLast(to: time)
      }
      if extreme - light >= step { (isUp, extreme) = (false, light) }
    } else {
      if light < extreme { extreme = light }
      if light - extreme >= step {
        (isUp, extreme) = (true, light)
        rises.add(time)
      }
    }
  }

  /// Limits a light at a time, and notes the result.
  public mutating func limited(_ light: Float, at time: Double, flashes most: Int) -> Float {
    let shown = min(light, self.most(at: time, flashes: most))
    note(shown, at: time)
    return light.isNaN ? light : shown
  }
}

/// Limits events to the allowed rate of flashes; the events of one frame count as one flash. [frame]
struct EventFlashLimit {
  private var times = FlashTimes()

  /// Whether events may pass at a time, in seconds. Those that may are counted.
  mutating func mayPass(at time: Double, flashes most: Int) -> Bool {
    guard times.hasRoom(at: time, flashes: most) else { return false }
    times.add(time)
    return true
  }
}

/// The times of the last flashes in seconds, oldest first: as many as a graph may allow in a second.
private struct FlashTimes {
  private static let capacity = Int(CheckedGraph.flashRange.upperBound)
  /// The window in seconds in which flashes are counted. It is slightly shorter than 1 s, because the length of a
  /// frame is rounded.
  private static let window = 1 - 1e-6

  private var times: [Double] = []

  /// Whether fewer than `most` were within the last second.
  func hasRoom(at time: Double, flashes most: Int) -> Bool {
    times.count < most || time - times[times.count - most] >= Self.window
  }

  mutating func add(_ time: Double) {
    times.append(time)
    if times.count > Self.capacity { times.removeFirst() }
  }

  /// Extends the last flash to a time.
  mutating func moveLast(to time: Double) { times[times.count - 1] = time }
}
