import Graphs

/// Holds light down so that it flashes no more often than it may. [frame]
///
/// A flash is a pair of opposing changes of a tenth of the most light or more, as WCAG 2.2 (success criterion 2.3.1)
/// defines it. Only rises are held: where as many as are allowed were within the last second, the light stays less than a tenth
/// above its lowest since. What falls always falls, so that a blackout acts at once.
public struct FlashLimit: Sendable {
  /// The change that counts, in parts of the most light.
  public static let step: Float = 0.1
  /// The change that counts here.
  private let step: Float
  /// When the last rises were at their highest.
  private var rises = FlashTimes()
  /// Whether the light has risen, and has not fallen since.
  private var isUp = false
  /// The lowest since it fell, or the highest since it rose.
  private var turn: Float = 0

  /// Nothing shines. A smaller `step` counts smaller changes, such as those of a part of a picture.
  public init(step: Float = FlashLimit.step) { self.step = step }

  /// The most light that may be shown at a time, in seconds, where it never goes back.
  ///
  /// - Parameter most: the flashes that are allowed in a second.
  public func most(at time: Double, flashes most: Int) -> Float {
    isUp || rises.hasRoom(at: time, flashes: most) ? .infinity : turn + 0.99 * step
  }

  /// Takes in what is shown at a time; what is no number changes nothing.
  public mutating func note(_ light: Float, at time: Double) {
    if isUp {
      if light > turn {
        turn = light
        rises.moveLast(to: time)
      }
      if turn - light >= step { (isUp, turn) = (false, light) }
    } else {
      if light < turn { turn = light }
      if light - turn >= step {
        (isUp, turn) = (true, light)
        rises.add(time)
      }
    }
  }

  /// What is shown of a light at a time, and taken in.
  public mutating func limited(_ light: Float, at time: Double, flashes most: Int) -> Float {
    let shown = min(light, self.most(at: time, flashes: most))
    note(shown, at: time)
    return light.isNaN ? light : shown
  }
}

/// Lets events out no more often than a flash may come: those of one frame are one flash. [frame]
struct EventFlashLimit {
  private var times = FlashTimes()

  /// Whether events may leave at a time, in seconds; they count where they may.
  mutating func mayPass(at time: Double, flashes most: Int) -> Bool {
    guard times.hasRoom(at: time, flashes: most) else { return false }
    times.add(time)
    return true
  }
}

/// When the last flashes were, in seconds, oldest first: as many as a graph may allow in a second.
private struct FlashTimes {
  private static let most = Int(CheckedGraph.flashRange.upperBound)
  /// The seconds in which flashes are counted; a hair less, as frames are no exact parts of a second.
  private static let window = 1 - 1e-6

  private var times: [Double] = []

  /// Whether fewer than so many were within the last second.
  func hasRoom(at time: Double, flashes most: Int) -> Bool {
    times.count < most || time - times[times.count - most] >= Self.window
  }

  mutating func add(_ time: Double) {
    times.append(time)
    if times.count > Self.most { times.removeFirst() }
  }

  /// The last one goes on until a time.
  mutating func moveLast(to time: Double) { times[times.count - 1] = time }
}
