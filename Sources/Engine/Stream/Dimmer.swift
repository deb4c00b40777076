import Glibc
public import Graphs
import Synchronization
import System

/// The master fader and the blackout of a show: they stand above all that goes out to lights. [any]
///
/// One for the whole show, whatever graphs it runs; the time of its fades is counted [frame].
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
  private let fade = Locked<Fade?>(nil)
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

  /// Whether nothing may shine.
  public var isBlackout: Bool {
    get { dark.load(ordering: .relaxed) }
    set { dark.store(newValue, ordering: .relaxed) }
  }

  /// How things stand, to be asked once a frame, so that all that goes out of it agrees.
  public var now: Dimming { Dimming(isBlackout: isBlackout, master: master) }
}

/// The master and the blackout at one moment.
public struct Dimming: Sendable {
  /// Whether nothing may shine.
  public let isBlackout: Bool
  /// The factor of every level, 0…1.
  public let master: Float

  /// Whether nothing is left to be seen, by a blackout or by a master at 0.
  public var isDark: Bool { isBlackout || master == 0 }

  /// The same with another master below it, 0…1.
  public func under(_ master: Float) -> Dimming {
    master == 1 ? self : Dimming(isBlackout: isBlackout, master: self.master * master)
  }

  /// What goes out for a value; `rest` is what a number is while nothing plays.
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

  /// What goes out in the dark.
  public static func dark(_ type: PortType, rest: Float) -> Float {
    switch type {
    case .decibels: -160
    case .number: rest
    default: 0
    }
  }
}

/// What goes out to lights, with what the master and a blackout make of it, for the docs.
public enum Dimmed: CaseIterable, Sendable {
  case levels, decibels, numbers, events, particles

  /// What the docs call it.
  public var name: String {
    switch self {
    case .levels: "levels 0…1"
    case .decibels: "levels in dBFS"
    case .numbers: "numbers"
    case .events: "events"
    case .particles: "particles"
    }
  }

  /// What a blackout makes of it.
  public var inBlackout: String {
    switch self {
    case .levels: "0"
    case .decibels: "-160, the floor"
    case .numbers: "what they are while nothing plays: `idle` of a drive, 0 of a count"
    case .events: "held back, and not told later"
    case .particles: "none: a count of 0 and no blob"
    }
  }

  /// What the master makes of it.
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
