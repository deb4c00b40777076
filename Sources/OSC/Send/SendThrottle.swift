/// A send throttle: decides which messages go out at which moment (rate limit, conflation, repeat); no socket, no clock, no
/// bytes. [frame]
///
/// A unit is one message, and has `width` values. Occasions lie on a grid of 1 ÷ rate seconds from the first change
/// after rest, and a frame takes the one it reaches: so the average is the rate whatever the frame rate is.
// A class: as a ~Copyable struct it makes Swift 6.3's compiler fail under ThreadSanitizer.
final class SendThrottle {
  /// A frame's end is rounded to a sample: it may be this early and still be on the grid.
  ///
  /// One sample at 8 kHz.
  static let slack = 125e-6

  let units: Int
  let width: Int
  /// What was offered last; NaN where nothing was yet.
  let current: UnsafeMutablePointer<Float>
  /// Not zero: the unit goes out now.
  let due: UnsafeMutablePointer<UInt8>
  /// New values that could not go at once, since the last `offer`.
  private(set) var held = 0

  private let sent: UnsafeMutablePointer<Float>
  private let sentAt: UnsafeMutablePointer<Double>
  private var change: Float = 0
  /// What puts a light out, besides an exact 0.
  private var dark: Float = 0
  private var period = 0.0
  private var slack = 0.0
  private var repeatInterval = 0.0
  private var nextChange = -Double.infinity
  private var nextRepeat = -Double.infinity
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

  /// Takes the rate, the change and the repeat of some settings; an occasion that is waited for comes no later than by the
  /// new rate.
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

  /// Takes the values of a moment and marks what is due.
  /// - Parameter urgent: changes go out past the rate, and still count for it.
  /// - Returns: whether anything is due.
  func offer(_ values: UnsafeBufferPointer<Float>, at seconds: Double, urgent: Bool) -> Bool {
    advance(to: seconds)
    let isOpen = now >= nextChange - slack
    let mayChange = urgent || isOpen
    let repeatIsOpen = now >= nextRepeat - slack
    var fresh = 0
    var changed = false
    var overdue = false
    for unit in 0..<units {
      let first = unit * width
      var mark: UInt8 = 0
      for index in first..<first + width {
        let isNew = index < values.count ? take(values[index], index) : false
        guard differs(index) else { continue }
        mark = 1
        if isNew { fresh += 1 }
      }
      changed = changed || mark != 0
      if mark == 0, repeatInterval > 0, now - sentAt[unit] >= repeatInterval - slack,
        sentAt[unit] > -.infinity
      {
        overdue = true
        mark = 2
      }
      due[unit] = mark
    }
    held = 0
    if changed, mayChange {
      nextChange = following(nextChange)
      return true
    }
    if changed { held = fresh }
    guard overdue, isOpen, repeatIsOpen else { return false }
    // Changes wait for their own occasion: only what is marked for repeating goes.
    for unit in 0..<units where due[unit] == 1 { due[unit] = 0 }
    nextRepeat = following(nextRepeat)
    return true
  }

  /// Marks every unit that ever had a value, past the rate.
  /// - Returns: whether anything is due.
  func offerAll(at seconds: Double) -> Bool {
    advance(to: seconds)
    held = 0
    var any = false
    for unit in 0..<units {
      due[unit] = 0
      for index in unit * width..<(unit + 1) * width where !current[index].isNaN { due[unit] = 1 }
      any = any || due[unit] != 0
    }
    if any { nextChange = following(nextChange) }
    return any
  }

  /// Takes every value as it is, but for NaN.
  func set(_ values: UnsafeBufferPointer<Float>) {
    for index in 0..<min(units * width, values.count) { _ = take(values[index], index) }
  }

  /// Notes that a unit went out with its current values.
  func note(sent unit: Int) {
    for index in unit * width..<(unit + 1) * width { sent[index] = current[index] }
    sentAt[unit] = now
  }

  /// Keeps a value unless it is NaN; 0 is kept without its sign.
  /// - Returns: whether it is another than before.
  private func take(_ value: Float, _ index: Int) -> Bool {
    guard !value.isNaN else { return false }
    let isNew = value != current[index]
    if isNew { current[index] = value == 0 ? 0 : value }
    return isNew
  }

  private func differs(_ index: Int) -> Bool {
    let value = current[index]
    let last = sent[index]
    if value.isNaN || value == last { return false }
    return change == 0 || last.isNaN || value == 0 || value == dark || abs(value - last) > change
  }

  /// The occasion after one that is taken now: on the grid, or a new grid after rest. What goes past the rate uses up two
  /// occasions at most: more, and whatever came last would stand for as long as there had been too much.
  private func following(_ occasion: Double) -> Double {
    now - occasion >= period ? now + period : min(occasion, now + 2 * period) + period
  }

  /// Moves the time; when it runs backwards, all that is remembered moves with it.
  private func advance(to seconds: Double) {
    guard seconds.isFinite else { return }
    if seconds < now {
      let back = now - seconds
      nextChange -= back
      nextRepeat -= back
      // Not `-=`: under ThreadSanitizer the compiler (6.3.1) breaks down on it ("Invalid bitcast").
      for unit in 0..<units { sentAt[unit] = sentAt[unit] - back }
    }
    now = seconds
  }
}
