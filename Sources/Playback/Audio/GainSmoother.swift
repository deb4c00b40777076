import CRealtime

/// A smoothed gain: a factor that goes to another, sample by sample, so that nothing clicks. [audio]
///
/// A long way is a straight line. On a short one the corners of a line could be heard: there it is the curve of
/// `FadeTable`, and nothing else begins before it has arrived.
struct GainSmoother: BitwiseCopyable {
  private var from: Float = 1
  private(set) var goal: Float = 1
  private var length: UInt32 = 1
  private var done: UInt32 = 1

  /// From this length on the corners of a line are below -60 dBFS, even where it turns back: 2 ÷ 3000.
  private static var straight: UInt32 { @_noLocks get { 3000 } }

  @_noLocks init() {}

  /// Whether it stands at exactly 1.
  private var isOne: Bool { @_noLocks get { done == length && goal == 1 } }

  /// Whether it is on a curve, which is not left before its end.
  var isBusy: Bool { @_noLocks get { done < length && length < Self.straight } }

  /// How many samples it needs until it stands.
  var left: Int { @_noLocks get { Int(length &- done) } }

  /// Begins to go to `goal`, from where it is, in so many samples.
  @_noLocks
  mutating func go(to goal: Float, in samples: UInt32) {
    from = now
    self.goal = goal
    length = max(1, samples)
    done = 0
  }

  /// Stands at its goal.
  @_noLocks
  mutating func arrive() { done = length }

  /// Goes on through silence, where a curve is at its end at once.
  @_noLocks
  mutating func rest(_ count: Int) {
    if isBusy { arrive() } else { advance(min(count, left)) }
  }

  /// Where it is.
  private var now: Float { @_noLocks get { done == length ? goal : from + (goal - from) * curve(done) } }

  /// How much of the way is done after so many samples.
  @_noLocks
  private func curve(_ done: UInt32) -> Float {
    let t = Float(done) / Float(length)
    return length < Self.straight ? t * t * (3 - 2 * t) : t
  }

  /// Multiplies samples, at most `left` of them while it moves.
  @_noLocks
  func apply(to samples: UnsafeMutablePointer<Float>, _ count: Int) {
    if isOne { return }
    if done == length { return vg_scale(samples, samples, goal, count) }
    if length >= Self.straight { return vg_ramp(samples, samples, 1, from, goal, done, length, count) }
    var i = 0
    while i < count {
      samples[i] = samples[i] * (from + (goal - from) * curve(done &+ 1 &+ UInt32(truncatingIfNeeded: i)))
      i &+= 1
    }
  }

  /// Goes on by so many samples.
  @_noLocks
  mutating func advance(_ count: Int) { if done < length { done &+= UInt32(truncatingIfNeeded: count) } }
}
