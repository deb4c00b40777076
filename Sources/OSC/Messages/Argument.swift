/// One argument of a message: the types of OSC 1.0 and 1.1 but for `S`, `c`, `r`, `m` and arrays.
public enum Argument: Sendable, Equatable {
  /// `i`
  case int(Int32)
  /// `f`
  case float(Float)
  /// `s`, without zero bytes.
  case string(String)
  /// `b`; an empty one cannot be sent, because liblo refuses it.
  case blob([UInt8])
  /// `T` or `F`
  case bool(Bool)
  /// `N`
  case null
  /// `I`: impulse in OSC 1.1, infinitum in OSC 1.0.
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

  /// Takes the 64 bits as they stand in a packet.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Takes seconds since the sender's origin (in NTP: 1900), rounded to 2⁻³² s and clamped to 0…`UInt64.max`; NaN
  /// becomes 0.
  public init(seconds: Double) {
    let scaled = (seconds * 0x1p32).rounded()
    rawValue = scaled > 0 ? (scaled >= 0x1p64 ? .max : UInt64(scaled)) : 0
  }

  /// "Immediately": the time tag with the value 1.
  public static let immediate = TimeTag(rawValue: 1)

  /// Seconds, rounded to a double.
  public var seconds: Double { Double(rawValue) / 0x1p32 }
}
