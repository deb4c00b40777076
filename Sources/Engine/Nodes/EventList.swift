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
  /// The events so far.
  public private(set) var all: [Event] = []
  /// Makes a list for a plan; it is used for one frame after another.
  public init() {}
  /// Adds an event for the nodes that follow.
  public func report(_ event: Event) { all.append(event) }
  /// Begins a new frame.
  func clear() { all.removeAll(keepingCapacity: true) }
}
