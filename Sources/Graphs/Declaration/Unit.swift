/// The unit of a number in a graph file.
public enum Unit: String, Sendable, CaseIterable {
  /// A plain number.
  case none
  /// Seconds; `ms`, `s`, `min` and `frame` are understood.
  case seconds
  /// Decibels; `dB` is understood.
  case decibels
  /// Hertz; `Hz` and `kHz` are understood.
  case hertz
  /// Radians; `rad`, `deg`, `°` and `turn` are understood.
  case radians
  /// Points of the stage; `pt` is understood, and `%` of the stage's width or height.
  case points
  /// Degrees of a whole, kept as 0…1; `%` is understood.
  case ratio
  /// A count or rate per second; `/s` is understood.
  case perSecond
}
