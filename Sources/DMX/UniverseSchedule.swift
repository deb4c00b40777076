/// Decides when the packets of a universe are due: a change at once, as far as the rate allows, then three equal
/// packets, then one every 0.8 to 1.0 s (ANSI E1.31-2018, 6.6.2; Art-Net 4, "refresh"). Frames must be at most 0.2 s
/// long; with longer ones every frame is due. [frame]
public struct UniverseSchedule: Sendable {
  /// Equal packets after a change.
  public static let repeats = 3
  /// Seconds between packets while nothing changes.
  public static let keepAlive = 0.8...1.0

  /// The interval within `keepAlive`. It differs between universes, so that they are not all sent in one burst.
  private let goal: Double
  private var last = -Double.infinity
  private var hasChange = true
  private var left = UniverseSchedule.repeats

  /// The schedule of the universe with index `index`, from 0. Its first packet is due at once.
  public init(index: Int) {
    // Multiples of the golden ratio, modulo 1, are spread evenly for any number of universes.
    let place = (Double(index) * 0.618_033_988_749_895).truncatingRemainder(dividingBy: 1)
    goal = 0.84 + 0.12 * place
  }

  /// Notes a change, or a request to send again.
  public mutating func change() {
    hasChange = true
    left = Self.repeats
  }

  /// Whether a packet is due at `time`, in seconds. `interval` is the minimum time between two packets, and the next
  /// frame comes `frame` seconds later.
  public func isDue(at time: Double, interval: Double, frame: Double) -> Bool {
    let age = time - last
    // The clock has started anew.
    if age < 0 { return true }
    if Self.isEarly(age, interval: interval) { return false }
    if hasChange || left > 0 { return true }
    return age >= goal - 1e-6 || age + frame > Self.keepAlive.upperBound
  }

  /// Whether a change has not been sent yet.
  public var isHeld: Bool { hasChange }

  /// Notes that a packet was sent.
  public mutating func note(sentAt time: Double) {
    last = time
    if hasChange { hasChange = false } else if left > 0 { left -= 1 }
  }

  /// Whether `age` seconds since the last packet are too few. The length of a frame is rounded to whole samples, so
  /// two frames may be closer than `interval` by one sample; the tolerance of 0.2 ms keeps such a frame.
  public static func isEarly(_ age: Double, interval: Double) -> Bool { age < interval - 2e-4 }

  /// Seconds between packets with `fps` frames per second and at most `rate` packets per second. It is rounded up to
  /// whole frames, so that packets are evenly spaced.
  public static func interval(rate: Double, fps: Double) -> Double {
    (fps / rate - 1e-3).rounded(.up) / fps
  }
}
