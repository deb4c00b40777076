/// One argument of a message, with its OSC type tag.
public enum Argument: Sendable, Equatable {
  /// `i`
  case int(Int32)
  /// `f`
  case float(Float)
  /// `s`, without zero bytes.
  case string(String)
  /// `b`, with at least one byte to be sent.
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

/// OSC's time: seconds in 32.32 fixed point, as NTP has it.
public struct TimeTag: Sendable, Hashable {
  /// Seconds in the upper half, 2⁻³² s in the lower.
  public let rawValue: UInt64

  /// From the 64 bits of a packet.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Seconds from wherever the reader counts: rounded to 2⁻³² s, below 0 or no number is 0, the end is the end.
  public init(seconds: Double) {
    let scaled = (seconds * 4_294_967_296).rounded()
    rawValue = scaled > 0 ? (scaled >= 0x1p64 ? .max : UInt64(scaled)) : 0
  }

  /// "At once", the tag of value 1.
  public static let immediate = TimeTag(rawValue: 1)

  /// Seconds, as near as a double comes.
  public var seconds: Double { Double(rawValue) / 4_294_967_296 }
}
