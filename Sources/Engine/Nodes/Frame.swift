import Realtime

/// One frame as frame nodes see it: the record, the levels written so far, and which of them are idle. [frame]
public struct Frame {
  /// The record's header: number, end sample, time.
  public let header: RecordHeader
  /// The values of the meters.
  public let record: Record
  /// Samples per second.
  public let rate: Int
  /// Where the frame ends, in seconds of the timeline.
  public let end: Double
  /// The length of the frame, in seconds.
  public let seconds: Double
  /// All levels of the plan, by their numbers.
  public let levels: UnsafeMutablePointer<Float>
  /// By the number of a level: its value while nothing plays; 0 unless its node writes another.
  public let rest: UnsafeMutablePointer<Float>
  /// By the number of a level: whether all its sources are idle.
  public let idle: UnsafePointer<Bool>
  /// The events of this frame so far.
  public let events: EventList
  /// How many records wait behind this one. Lights need only the newest.
  public let waiting: Int
  /// Whether the host runs faster than real time.
  public let isFreewheeling: Bool
  /// How many seconds no callback has run; 0 in frames of a callback. The timeline, and with it `end`, stands still
  /// for that time, so code that measures ages by the timeline adds this, or the sum of a `StallClock`.
  public let stalledSeconds: Double

  /// The end of the frame on a clock that never goes back and was `last` before this frame. The timeline stands still
  /// while no callback runs, but lights and particles go on. For a node that keeps one such time; `StallClock` is for
  /// positions of events on the timeline.
  public func time(after last: Double) -> Double { end > last ? end : last + seconds }

  /// Tolerance in seconds for sums of frame lengths: a time that should coincide with the end of a frame does, in
  /// spite of rounding.
  public static var tolerance: Double { @inlinable get { 5e-7 } }
}
