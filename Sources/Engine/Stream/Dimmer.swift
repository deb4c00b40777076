import Synchronization
import System

/// The master and the blackout of a show, which act on everything sent to lights. [any]
///
/// There is one for the whole show, whatever graphs it runs. Its fades advance on [frame].
public final class Dimmer: Sendable {
  /// A fade of the master, advanced by frames, so that each frame has an exact value.
  private struct Fade {
    let from: Float
    let to: Float
    let seconds: Double
    var done = 0.0

    /// The tolerance is for frame lengths, which are rounded.
    var isOver: Bool { done >= seconds - 1e-6 }
    var now: Float { isOver ? to : Float(Double(from) + Double(to - from) * done / seconds) }
  }

  private let bits = Atomic<UInt32>(Float(1).bitPattern)
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

  /// Moves the master to `place`, 0…1, in `seconds` from the next frame on, from its present value. The way is
  /// linear, because lamps have curves of their own.
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
      guard var way = fade else { return }
      way.done += seconds
      bits.store(way.now.bitPattern, ordering: .relaxed)
      fade = way.isOver ? nil : way
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

/// The master and the blackout at one moment.
public struct Dimming: Sendable {
  /// Whether a blackout is on.
  public let isBlackout: Bool
  /// The factor of every level, 0…1.
  public let master: Float

  /// Whether nothing is visible, by a blackout or by a master of 0.
  public var isDark: Bool { isBlackout || master == 0 }

  /// The same with another master, 0…1, multiplied in.
  public func under(_ master: Float) -> Dimming {
    master == 1 ? self : Dimming(isBlackout: isBlackout, master: self.master * master)
  }

  /// The value that is sent for `value`; `rest` is the value of a number while nothing plays.
  public func value(of value: Float, _ type: PortType, rest: Float) -> Float {
    if isBlackout { return Self.dark(type, rest: rest) }
    switch type {
    case _ where value.isNaN: return value
    case .level, .light: return max(0, min(1, value)) * master
    case _ where master == 1: return value
    case .decibels: return max(Self.dark(type, rest: rest), value + 20 * log10(master))
    default: return rest + (value - rest) * master
    }
  }

  /// The value that is sent in the dark.
  public static func dark(_ type: PortType, rest: Float) -> Float {
    switch type {
    case .decibels: -160
    case .number: rest
    default: 0
    }
  }
}

/// What is sent to lights, and how the master and a blackout change it, for the docs.
public enum Dimmed: CaseIterable, Sendable {
  case levels, decibels, numbers, events, particles

  /// The name in the docs.
  public var name: String {
    switch self {
    case .levels: "levels 0…1"
    case .decibels: "levels in dBFS"
    case .numbers: "numbers"
    case .events: "events"
    case .particles: "particles"
    }
  }

  /// The value in a blackout.
  public var inBlackout: String {
    switch self {
    case .levels: "0"
    case .decibels: "-160, the floor"
    case .numbers: "what they are while nothing plays: `idle` of a drive, 0 of a count"
    case .events: "held back, and not told later"
    case .particles: "none: a count of 0 and no blob"
    }
  }

  /// The effect of the master.
  public var underMaster: String {
    switch self {
    case .levels: "multiplied by it"
    case .decibels: "lower by 20·log₁₀ of it, -160 at the least"
    case .numbers: "brought as near to that as the master is to 0"
    case .events: "held back while it is 0"
    case .particles: "their alpha is multiplied by it"
    }
  }
}
