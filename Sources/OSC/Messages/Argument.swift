/// One argument of a message, with its OSC type tag.
public enum Argument: Sendable, Equatable {
  /// `i`
  case int(Int32)
  /// `f`
  case float(Float)
  /// `s`, without zero bytes.
  case string(String)
  /// `b`; to be sent it needs at least one byte.
  case blob([UInt8])
  /// `T` or `F`
  case bool(Bool)
  /// `N`
  case null
  /// `I`
  case impulse
  /// `h`
  case int64(Int64)
  /// `d`
  case double(Double)
  /// `t`
  case timeTag(TimeTag)
}

/// An OSC time tag: seconds as a 32.32 fixed-point number, as in NTP.
public struct TimeTag: Sendable, Hashable {
  /// Seconds in the upper half, 2⁻³² s in the lower.
  public let rawValue: UInt64

  /// The 64 bits of a packet.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Seconds from any origin, rounded to 2⁻³² s and clamped to 0…`UInt64.max`; NaN becomes 0.
  public init(seconds: Double) {
    let scaled = (seconds * 4_294_967_296).rounded()
    rawValue = scaled > 0 ? (scaled >= 0x1p64 ? .max : UInt64(scaled)) : 0
  }

  /// "Immediately": the time tag with the value 1.
  public static let immediate = TimeTag(rawValue: 1)

  /// Seconds, rounded to a double.
  public var seconds: Double { Double(rawValue) / 4_294_967_296 }
}
