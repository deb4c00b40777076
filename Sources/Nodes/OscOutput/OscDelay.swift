import Engine

/// Delays the levels and events of a target by a fixed time. [frame]
final class OscDelay {
  /// The maximum number of entries of a queue: more than the longest delay has frames. A full queue drops its oldest
  /// entry.
  private static let capacity = 16_384

  /// The delay, in seconds.
  private let delay: Double
  private var levels: [(time: Double, values: [Float], isPeak: Bool)] = []
  private var events: [(time: Double, bytes: [UInt8])] = []
  /// The values that are current at the target; nil before the first.
  private var current: [Float]?

  /// Makes a delay of `delay` seconds.
  init(_ delay: Double) { self.delay = delay }

  /// Queues the values at a time in seconds.
  func keep(_ values: UnsafeBufferPointer<Float>, at time: Double, isPeak: Bool = false) {
    // Time goes back where one offline show follows another. The queue is sorted by time, so its entries are dropped.
    if let last = levels.last, time < last.time { levels.removeAll(keepingCapacity: true) }
    if levels.count == Self.capacity { levels.removeFirst() }
    levels.append((time, Array(values), isPeak))
  }

  /// Queues the bytes of an event at a time in seconds.
  func keep(_ bytes: UnsafeRawBufferPointer, at time: Double) {
    if let last = events.last, time < last.time { events.removeAll(keepingCapacity: true) }
    if events.count == Self.capacity { events.removeFirst() }
    events.append((time, Array(bytes)))
  }

  /// Calls `give` with the values that are due: first the peaks, which the rate does not limit, then the newest values,
  /// which stay current until newer ones are due.
  func levels(until time: Double, _ give: (UnsafeBufferPointer<Float>, _ isPeak: Bool) -> Void) {
    let due = levels.prefix { $0.time + delay <= time + Frame.tolerance }
    for entry in due where entry.isPeak { entry.values.withUnsafeBufferPointer { give($0, true) } }
    if let newest = due.last(where: { !$0.isPeak }) { current = newest.values }
    levels.removeFirst(due.count)
    current?.withUnsafeBufferPointer { give($0, false) }
  }

  /// Calls `give` with the events that are due.
  func events(until time: Double, _ give: (UnsafeRawBufferPointer) -> Void) {
    let due = events.prefix { $0.time + delay <= time + Frame.tolerance }
    for event in due { event.bytes.withUnsafeBytes(give) }
    events.removeFirst(due.count)
  }

  /// Drops all queued entries, because `values` are current at once.
  func forget(_ values: UnsafeBufferPointer<Float>) {
    levels.removeAll(keepingCapacity: true)
    events.removeAll(keepingCapacity: true)
    current = Array(values)
  }
}
