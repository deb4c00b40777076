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
  /// while no callback runs, but lights and particles go on.
  public func time(after last: Double) -> Double { end > last ? end : last + seconds }

  /// Tolerance in seconds for sums of frame lengths: a time that should coincide with the end of a frame does, in
  /// spite of rounding.
  public static var grain: Double { @inlinable get { 5e-7 } }
}

/// Adds up the seconds of all stalls of the timeline. A position on the timeline plus this sum is a time that does not
/// go back when callbacks run again. [frame]
public struct StallClock: Sendable {
  /// The seconds of all stalls that are over.
  private var ended = 0.0
  /// The seconds of the present stall; 0: none.
  private var running = 0.0

  /// No stall yet.
  public init() {}

  /// Takes a frame. Returns the seconds of all stalls until its end.
  public mutating func advance(_ frame: Frame) -> Double {
    if frame.stalledSeconds < running { ended += running }
    running = frame.stalledSeconds
    return ended + running
  }
}

/// A named event at a sample of the timeline.
public struct Event: Sendable {
  /// The number of the node's event output.
  public let output: Int
  /// Its name (`sound`, `silence`, `trigger`).
  public let name: String
  /// The channel, from 0.
  public let channel: Int
  /// Its position on the timeline, in samples.
  public let sample: Int64

  /// Makes an event.
  public init(output: Int, name: String, channel: Int, sample: Int64) {
    self.output = output
    self.name = name
    self.channel = channel
    self.sample = sample
  }
}

/// The events of one frame, in the order of the nodes. [frame]
public final class EventList {
  /// The events.
  public private(set) var all: [Event] = []
  /// No events.
  public init() {}
  /// Adds an event for the nodes that follow.
  public func report(_ event: Event) { all.append(event) }
  /// Begins a new frame.
  func clear() { all.removeAll(keepingCapacity: true) }
}

/// Converts samples of the timeline to seconds, although the sample rate may change: seconds are added up over epochs
/// of one rate. [any]
public struct Timeline: Equatable, Sendable {
  /// Samples per second of this epoch.
  public let rate: Int64
  /// Where the epoch begins, in samples.
  private var firstSample: Int64 = 0
  /// Where the epoch begins, in seconds.
  private var firstSecond = 0.0

  /// The timeline of a show that begins with a sample rate.
  public init(rate: Int64) { self.rate = rate }

  /// The timeline with another rate from `sample` on; itself where the rate is the same.
  public func going(on rate: Int64, from sample: Int64) -> Timeline {
    guard rate != self.rate else { return self }
    var next = Timeline(rate: rate)
    next.firstSample = sample
    next.firstSecond = seconds(at: sample)
    return next
  }

  /// The seconds at a sample.
  public func seconds(at sample: Int64) -> Double {
    firstSecond + Double(sample - firstSample) / Double(max(1, rate))
  }

  /// The sample at a time in seconds; the result is extrapolated with this epoch's rate.
  public func sample(at seconds: Double) -> Int64 {
    firstSample + Int64(((seconds - firstSecond) * Double(rate)).rounded())
  }
}
