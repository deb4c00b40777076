/// When the packets of a universe are due: a change at once, as far as the rate lets it, then three equal packets, then one
/// every 0.8 to 1.0 s (ANSI E1.31-2018, 6.6.1; Art-Net 4, "refresh"). Needs frames of at most 0.2 s; of longer ones each
/// is due. [frame]
public struct UniverseSchedule: Sendable {
  /// Equal packets after a change.
  public static let repeats = 3
  /// Seconds between packets of what does not change.
  public static let keepAlive = 0.8...1.0

  /// Within `keepAlive`, another for each universe: so that they do not all send in one burst.
  private let goal: Double
  private var last = -Double.infinity
  private var hasChange = true
  private var left = UniverseSchedule.repeats

  /// The schedule of the universe of this index, from 0. What it has is not sent yet.
  public init(index: Int) {
    // The golden ratio spreads any number of them evenly.
    let place = (Double(index) * 0.618_033_988_749_895).truncatingRemainder(dividingBy: 1)
    goal = 0.84 + 0.12 * place
  }

  /// Something has changed, or is to be sent again.
  public mutating func change() {
    hasChange = true
    left = Self.repeats
  }

  /// Whether a packet is due at a time in seconds, where `interval` seconds are to pass between two, and the next frame
  /// comes `frame` seconds later.
  public func isDue(at time: Double, interval: Double, frame: Double) -> Bool {
    let age = time - last
    // A clock that has begun anew.
    if age < 0 { return true }
    if Self.isEarly(age, interval: interval) { return false }
    if hasChange || left > 0 { return true }
    return age >= goal - 1e-6 || age + frame > Self.keepAlive.upperBound
  }

  /// Whether a change waits for its time.
  public var isHeld: Bool { hasChange }

  /// A packet has gone out.
  public mutating func note(sentAt time: Double) {
    last = time
    if hasChange { hasChange = false } else if left > 0 { left -= 1 }
  }

  /// Whether so many seconds since the last packet are too few. Frames are whole samples: two may be nearer to each other than
  /// a part of a second by one, and none is left out for that.
  public static func isEarly(_ age: Double, interval: Double) -> Bool { age < interval - 2e-4 }

  /// Seconds between packets, where there are `fps` frames a second and at most `rate` packets: whole frames, so that the
  /// packets come evenly.
  public static func interval(rate: Double, fps: Double) -> Double {
    (fps / rate - 1e-3).rounded(.up) / fps
  }
}
