import Glibc
public import Graphs

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
