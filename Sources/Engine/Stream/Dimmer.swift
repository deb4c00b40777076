import Synchronization
import System

/// The master and the blackout of a show, which act on everything sent to lights. [any]
///
/// A show has one dimmer for all its graphs. Its fades advance on [frame].
public final class Dimmer: Sendable {
  /// A fade of the master, advanced by frames, so that each frame has an exact value.
  private struct Fade {
    let from: Float
    let to: Float
    let seconds: Double
    /// Seconds passed.
    var done = 0.0

    /// Whether `to` is reached, with a tolerance in seconds for rounded frame lengths.
    var isOver: Bool { done >= seconds - 1e-6 }
    var now: Float { isOver ? to : Float(Double(from) + Double(to - from) * done / seconds) }
  }

  /// The bit pattern of the master.
  private let bits = Atomic<UInt32>(Float(1).bitPattern)
  /// Whether a blackout is on.
  private let dark = Atomic<Bool>(false)
  private let fade = Locked<Fade?>(nil)
  /// Whether there is a fade; read first, so that a frame without one takes no lock.
  private let isFading = Atomic<Bool>(false)

  /// Master at 1, no blackout.
  public init() {}

  /// The factor of every level, 0…1; NaN and infinities are ignored. Setting it ends a fade.
  public var master: Float {
    get { Float(bitPattern: bits.load(ordering: .relaxed)) }
    set { move(to: newValue, seconds: 0) }
  }

  /// Fades the master from its present value to `place`, 0…1, in `seconds` from the next frame on. The fade is linear,
  /// because lamps have curves of their own.
  public func move(to place: Float, seconds: Double) {
    guard place.isFinite else { return }
    let goal = max(0, min(1, place))
    fade.withLock { fade in
      fade = seconds > 0 ? Fade(from: master, to: goal, seconds: seconds) : nil
      isFading.store(fade != nil, ordering: .relaxed)
      if fade == nil { bits.store(goal.bitPattern, ordering: .relaxed) }
    }
  }

  /// The goal of the master, and the seconds left; nil: no fade.
  public var way: (goal: Float, left: Double)? {
    fade.withLock { $0.map { ($0.to, max(0, $0.seconds - $0.done)) } }
  }

  /// Advances the fade by a frame of `seconds`. [frame]
  public func advance(by seconds: Double) {
    guard isFading.load(ordering: .relaxed) else { return }
    fade.withLock { fade in
      guard var moved = fade else { return }
      moved.done += seconds
      bits.store(moved.now.bitPattern, ordering: .relaxed)
      fade = moved.isOver ? nil : moved
      if fade == nil { isFading.store(false, ordering: .relaxed) }
    }
  }

  /// Whether a blackout is on.
  public var isBlackout: Bool {
    get { dark.load(ordering: .relaxed) }
    set { dark.store(newValue, ordering: .relaxed) }
  }

  /// Both at this moment. Read it once a frame, so that all outputs of the frame agree.
  public var now: Dimming { Dimming(isBlackout: isBlackout, master: master) }
}
