import Realtime

/// One frame, as frame nodes see it: the record of the meters, the levels so far, and what is idle. [frame]
public struct Frame {
  /// The record's header: number, end sample, time.
  public let header: RecordHeader
  /// The values of the meters.
  public let record: Record
  /// Samples a second.
  public let rate: Int
  /// Where the frame ends, in seconds of the timeline.
  public let end: Double
  /// How long it is, in seconds.
  public let seconds: Double
  /// All levels of the plan, by level number.
  public let levels: UnsafeMutablePointer<Float>
  /// For each number what it is while nothing plays; 0 where its node says nothing else.
  public let rest: UnsafeMutablePointer<Float>
  /// For each level whether all its sources are idle.
  public let idle: UnsafePointer<Bool>
  /// The events of this frame so far.
  public let events: EventList
  /// How many records wait behind this one: the lights only need the newest.
  public let waiting: Int
  /// Whether the host runs faster than time.
  public let isFreewheeling: Bool
  /// For how many seconds no callback has run: the timeline, and with it the end of the frame, stands still so long. 0 in
  /// every other frame. What counts its age by the timeline adds this, or what a `StallClock` makes of it.
  public let stalledSeconds: Double

  /// Where the frame ends for what never goes back, whose time was `last` before it: the timeline stands still while no
  /// callback runs, but lights and particles go on.
  public func time(after last: Double) -> Double { end > last ? end : last + seconds }

  /// By how many seconds a sum of frames may miss a time: one that is to end with a frame ends with it, whatever the sum has
  /// rounded to.
  public static var grain: Double { @inlinable get { 5e-7 } }
}

/// The seconds that the timeline has stood still, of all stalls so far: what adds them to a place on the timeline has a time
/// that never goes back when callbacks run again. [frame]
public struct StallClock: Sendable {
  private var ended = 0.0
  private var running = 0.0

  /// Nothing has stood still.
  public init() {}

  /// Takes a frame; gives the seconds of all stalls until its end.
  public mutating func advance(_ frame: Frame) -> Double {
    if frame.stalledSeconds < running { ended += running }
    running = frame.stalledSeconds
    return ended + running
  }
}

/// A named happening at a sample position.
public struct Event: Sendable {
  /// The number of the event output that it left by.
  public let output: Int
  /// Its name (`sound`, `silence`, `trigger`).
  public let name: String
  /// The channel, from 0.
  public let channel: Int
  /// Where on the timeline, in samples.
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
  /// Reports an event to the nodes that follow.
  public func report(_ event: Event) { all.append(event) }
  /// Begins a new frame.
  func clear() { all.removeAll(keepingCapacity: true) }
}

/// Where samples are in seconds, although the rate may change on the way: seconds are added up by epochs of one rate.
/// [any]
public struct Timeline: Equatable, Sendable {
  /// Samples a second of this epoch.
  public let rate: Int64
  private var firstSample: Int64 = 0
  private var firstSecond = 0.0

  /// The timeline of a show that begins with a rate.
  public init(rate: Int64) { self.rate = rate }

  /// The timeline with another rate from `sample` on; the same where the rate is the same.
  public func going(on rate: Int64, from sample: Int64) -> Timeline {
    guard rate != self.rate else { return self }
    var next = Timeline(rate: rate)
    next.firstSample = sample
    next.firstSecond = seconds(at: sample)
    return next
  }

  /// A place in seconds.
  public func seconds(at sample: Int64) -> Double {
    firstSecond + Double(sample - firstSample) / Double(max(1, rate))
  }

  /// The sample at a place, which need not be reached with this rate.
  public func sample(at seconds: Double) -> Int64 {
    firstSample + Int64(((seconds - firstSecond) * Double(rate)).rounded())
  }
}
