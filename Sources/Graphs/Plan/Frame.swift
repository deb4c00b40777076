public import Realtime

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
  /// Tells an event to the nodes that follow.
  public func tell(_ event: Event) { all.append(event) }
  /// Begins a new frame.
  func clear() { all.removeAll(keepingCapacity: true) }
}
