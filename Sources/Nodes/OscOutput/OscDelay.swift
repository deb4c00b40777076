import Engine

/// Levels and events of a target that gets them later. [frame]
final class OscDelay {
  /// The most entries of a queue: more than the longest delay has frames. The oldest is dropped beyond that.
  private static let most = 16_384

  private let delay: Double
  private var levels: [(time: Double, values: [Float], isPeak: Bool)] = []
  private var events: [(time: Double, bytes: [UInt8])] = []
  /// What is current at the target; nil: nothing has come there yet.
  private var current: [Float]?

  /// `delay`: seconds.
  init(_ delay: Double) { self.delay = delay }

  /// Keeps the values of a moment.
  func keep(_ values: UnsafeBufferPointer<Float>, at time: Double, isPeak: Bool = false) {
    // Time goes back where one offline show follows another; what waits is sorted by time.
    if let last = levels.last, time < last.time { levels.removeAll(keepingCapacity: true) }
    if levels.count == Self.most { levels.removeFirst() }
    levels.append((time, Array(values), isPeak))
  }

  /// Keeps an event.
  func keep(_ bytes: UnsafeRawBufferPointer, at time: Double) {
    if let last = events.last, time < last.time { events.removeAll(keepingCapacity: true) }
    if events.count == Self.most { events.removeFirst() }
    events.append((time, Array(bytes)))
  }

  /// Gives the values whose time has come: peaks, which no rate holds back, then the newest, which is current until
  /// another comes.
  func levels(until time: Double, _ give: (UnsafeBufferPointer<Float>, _ isPeak: Bool) -> Void) {
    let due = levels.prefix { $0.time + delay <= time + Frame.grain }
    for entry in due where entry.isPeak { entry.values.withUnsafeBufferPointer { give($0, true) } }
    if let newest = due.last(where: { !$0.isPeak }) { current = newest.values }
    levels.removeFirst(due.count)
    current?.withUnsafeBufferPointer { give($0, false) }
  }

  /// Gives the events whose time has come.
  func events(until time: Double, _ give: (UnsafeRawBufferPointer) -> Void) {
    let due = events.prefix { $0.time + delay <= time + Frame.grain }
    for event in due { event.bytes.withUnsafeBytes(give) }
    events.removeFirst(due.count)
  }

  /// Forgets what waits, as something else is current at once.
  func forget(_ values: UnsafeBufferPointer<Float>) {
    levels.removeAll(keepingCapacity: true)
    events.removeAll(keepingCapacity: true)
    current = Array(values)
  }
}
