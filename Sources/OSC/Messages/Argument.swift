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
