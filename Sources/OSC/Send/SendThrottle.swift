/// Decides which messages are sent in which frame: rate limit, conflation and repeats. It has no socket, clock or
/// packets. [frame]
///
/// A unit is one message, and has `width` values. The times of sends lie on a grid of 1 ÷ rate seconds, which starts
/// with the first change after rest. A frame sends at the grid time that it has reached, so the average rate is
/// `rate` at any frame rate.
// A class, because as a ~Copyable struct it crashes the compiler of Swift 6.3 under ThreadSanitizer.
final class SendThrottle {
  /// Tolerance in seconds: the end of a frame is rounded to a sample, so it may lie this much before the grid time.
  ///
  /// It is one sample at 8 kHz.
  static let slack = 125e-6

  let units: Int
  let width: Int
  /// The newest values; NaN before the first.
  let current: UnsafeMutablePointer<Float>
  /// By unit: not 0 where it is sent now.
  let due: UnsafeMutablePointer<UInt8>
  /// New values that could not be sent in the last `offer`.
  private(set) var held = 0

  /// The values that were sent last; NaN before the first.
  private let sent: UnsafeMutablePointer<Float>
  /// By unit: when it was sent last, in seconds of the timeline.
  private let sentAt: UnsafeMutablePointer<Double>
  private var change: Float = 0
  /// The value that is sent for level 0, which always passes `change`, as an exact 0 does.
  private var dark: Float = 0
  /// Seconds between two grid times; 0: every frame may send.
  private var period = 0.0
  /// `Self.slack`, or a quarter of the period if that is less.
  private var slack = 0.0
  private var repeatInterval = 0.0
  /// The grid times from which the next changes and the next repeats may be sent, in seconds of the timeline.
  private var nextChange = -Double.infinity
  private var nextRepeat = -Double.infinity
  /// The time of the last frame, in seconds of the timeline.
  private var now = -Double.infinity

  init(units: Int, width: Int, settings: SendSettings) {
    self.units = units
    self.width = width
    current = .allocate(capacity: max(units * width, 1))
    current.initialize(repeating: .nan, count: units * width)
    sent = .allocate(capacity: max(units * width, 1))
    sent.initialize(repeating: .nan, count: units * width)
    sentAt = .allocate(capacity: max(units, 1))
    sentAt.initialize(repeating: -.infinity, count: units)
    due = .allocate(capacity: max(units, 1))
    due.initialize(repeating: 0, count: units)
    adjust(to: settings)
  }

  /// Takes the rate, the change and the repeat of new settings. The next send comes at the latest one period of the
  /// new rate from now.
  func adjust(to settings: SendSettings) {
    change = settings.change
    dark = settings.sent(0)
    period = settings.rate > 0 ? 1 / settings.rate : 0
    slack = settings.rate > 0 ? min(Self.slack, period / 4) : Self.slack
    repeatInterval = settings.repeatInterval
    nextChange = min(nextChange, now + period)
    nextRepeat = min(nextRepeat, now + period)
  }

  deinit {
    current.deallocate()
    sent.deallocate()
    sentAt.deallocate()
    due.deallocate()
  }

  /// Takes the values of a frame, and marks the units that are due.
  /// - Parameter urgent: changes are sent without waiting for the rate limit; later sends wait after them.
  /// - Returns: whether any unit is due.
  func offer(_ values: UnsafeBufferPointer<Float>, at seconds: Double, urgent: Bool) -> Bool {
    advance(to: seconds)
    let isOpen = now >= nextChange - slack
    let mayChange = urgent || isOpen
    let mayRepeat = now >= nextRepeat - slack
    var newValues = 0
    var hasChanges = false
    var hasOverdue = false
    for unit in 0..<units {
      let first = unit * width
      var mark: UInt8 = 0
      for index in first..<first + width {
        let isNew = index < values.count ? take(values[index], index) : false
        guard differs(index) else { continue }
        mark = 1
        if isNew { newValues += 1 }
      }
      hasChanges = hasChanges || mark != 0
      if mark == 0, repeatInterval > 0, now - sentAt[unit] >= repeatInterval - slack,
        sentAt[unit] > -.infinity
      {
        hasOverdue = true
        mark = 2
      }
      due[unit] = mark
    }
    held = 0
    if hasChanges, mayChange {
      nextChange = gridTime(nextChange)
      return true
    }
    if hasChanges { held = newValues }
    guard hasOverdue, isOpen, mayRepeat else { return false }
    // Changes wait for their own grid time: only units to be repeated are sent.
    for unit in 0..<units where due[unit] == 1 { due[unit] = 0 }
    nextRepeat = gridTime(nextRepeat)
    return true
  }

  /// Marks every unit that has had a value, without waiting for the rate limit.
  /// - Returns: whether any unit is due.
  func offerAll(at seconds: Double) -> Bool {
    advance(to: seconds)
    held = 0
    var isAnyDue = false
    for unit in 0..<units {
      due[unit] = 0
      for index in unit * width..<(unit + 1) * width where !current[index].isNaN { due[unit] = 1 }
      isAnyDue = isAnyDue || due[unit] != 0
    }
    if isAnyDue { nextChange = gridTime(nextChange) }
    return isAnyDue
  }

  /// Takes all values but NaN.
  func set(_ values: UnsafeBufferPointer<Float>) {
    for index in 0..<min(units * width, values.count) { _ = take(values[index], index) }
  }

  /// Notes that a unit was sent with its present values.
  func note(sent unit: Int) {
    for index in unit * width..<(unit + 1) * width { sent[index] = current[index] }
    sentAt[unit] = now
  }

  /// Keeps a value unless it is NaN; −0 becomes 0.
  /// - Returns: whether it differs from the value before.
  private func take(_ value: Float, _ index: Int) -> Bool {
    guard !value.isNaN else { return false }
    let isNew = value != current[index]
    if isNew { current[index] = value == 0 ? 0 : value }
    return isNew
  }

  /// Whether a value has changed enough since it was sent last.
  private func differs(_ index: Int) -> Bool {
    let value = current[index]
    let last = sent[index]
    if value.isNaN || value == last { return false }
    return change == 0 || last.isNaN || value == 0 || value == dark || abs(value - last) > change
  }

  /// The grid time after a send now: the next on the grid, or the first of a new grid after a rest. Sends that do not
  /// wait for the rate limit move it by at most two periods; otherwise many of them would hold the last value back for
  /// long.
  private func gridTime(_ occasion: Double) -> Double {
    now - occasion >= period ? now + period : min(occasion, now + 2 * period) + period
  }

  /// Advances the clock; when it runs backwards, all stored times move back with it.
  private func advance(to seconds: Double) {
    guard seconds.isFinite else { return }
    if seconds < now {
      let back = now - seconds
      nextChange -= back
      nextRepeat -= back
      // Not `-=`: the compiler (6.3.1) fails on it under ThreadSanitizer ("Invalid bitcast").
      for unit in 0..<units { sentAt[unit] = sentAt[unit] - back }
    }
    now = seconds
  }
}
