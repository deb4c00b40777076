import CRealtime
import Glibc
public import Graphs

/// The master and the blackout at one moment.
public struct Dimming: Sendable {
  /// Whether a blackout is on.
  public let isBlackout: Bool
  /// The factor of every level, 0…1.
  public let master: Float

  /// Whether nothing is visible, by a blackout or by a master of 0.
  public var isDark: Bool { isBlackout || master == 0 }

  /// This dimming with another master, 0…1, multiplied in.
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

  /// Computes the values that are sent for `count` levels 0…1: for each the result of `value`.
  func dim(_ levels: UnsafePointer<Float>, into values: UnsafeMutablePointer<Float>, count: Int) {
    if isBlackout {
      values.update(repeating: 0, count: count)
    } else {
      vg_dim_levels(values, levels, master, count)
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

/// The kinds of values that are sent, and the effects of master and blackout on them; for the docs.
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
    case .events: "held back, and not sent later"
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
