import Synchronization

/// The master fader and the blackout of a show: they stand above every level 0…1 that goes out. [frame]
///
/// One for the whole show, whatever graphs it runs; any thread may move it.
public final class Dimmer: Sendable {
  /// A way of the master, counted in the time of frames so that every frame has its exact place on it.
  private struct Fade {
    let from: Float
    let to: Float
    let seconds: Double
    var done = 0.0

    /// A hair before its end too: frames are no exact parts of a second.
    var isOver: Bool { done >= seconds - 1e-6 }
    var now: Float { isOver ? to : Float(Double(from) + Double(to - from) * done / seconds) }
  }

  private let bits = Atomic<UInt32>(Float(1).bitPattern)
  private let dark = Atomic<Bool>(false)
  private let fade = Mutex<Fade?>(nil)
  /// Whether there is a fade: asked first, so that a frame without one takes no lock.
  private let isFading = Atomic<Bool>(false)

  /// All the way up, not dark.
  public init() {}

  /// The factor of every level, 0…1; what is no number changes nothing. Setting it ends a fade.
  public var master: Float {
    get { Float(bitPattern: bits.load(ordering: .relaxed)) }
    set { move(to: newValue, seconds: 0) }
  }

  /// Lets the master go to another place in so many seconds from the next frame on, from where it is, in a straight line:
  /// lamps have curves of their own.
  public func move(to place: Float, seconds: Double) {
    guard place.isFinite else { return }
    let goal = max(0, min(1, place))
    fade.withLock { fade in
      fade = seconds > 0 ? Fade(from: master, to: goal, seconds: seconds) : nil
      isFading.store(fade != nil, ordering: .relaxed)
      if fade == nil { bits.store(goal.bitPattern, ordering: .relaxed) }
    }
  }

  /// Where the master is going, and how many seconds are left; nil while it stands.
  public var way: (goal: Float, left: Double)? {
    fade.withLock { $0.map { ($0.to, max(0, $0.seconds - $0.done)) } }
  }

  /// A frame of so many seconds is over. [frame]
  public func advance(by seconds: Double) {
    guard isFading.load(ordering: .relaxed) else { return }
    fade.withLock { fade in
      guard var way = fade else { return }
      way.done += seconds
      bits.store(way.now.bitPattern, ordering: .relaxed)
      fade = way.isOver ? nil : way
      if fade == nil { isFading.store(false, ordering: .relaxed) }
    }
  }

  /// Whether every level is held at 0.
  public var isBlackout: Bool {
    get { dark.load(ordering: .relaxed) }
    set { dark.store(newValue, ordering: .relaxed) }
  }

  /// What becomes of a level.
  public func dimmed(_ level: Float) -> Float { isBlackout ? 0 : level * master }
}
