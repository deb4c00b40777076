import CRealtime

/// A smoothed gain, which fades to a goal sample by sample, so that nothing clicks. [audio]
///
/// A long fade is linear, or even (`isEven`): then the cube root of the gain is linear, which sounds even and, from 0 to
/// −40 dB, is within 5 dB of a fader of `FaderLaw.console`. In a short fade the corners of a line would be audible, so
/// it takes the curve of `FadeTable`, computed here in single precision, and the caller lets it run to its end
/// (`isBusy`) before it starts another.
struct GainSmoother: BitwiseCopyable {
  private var from: Float = 1
  private(set) var goal: Float = 1
  private var length: UInt32 = 1
  private var done: UInt32 = 1
  private var isEven = false
  private var endsFirst = false
  /// The cube roots of the gains at both ends of an even fade.
  private var roots: (from: Float, goal: Float) = (1, 1)

  /// The shortest linear fade in samples, at any sample rate. Between gains 0 and 1 its slope is 1 ÷ 3000 a sample, so
  /// where it reverses the slope changes by 2 ÷ 3000: a corner of −63.5 dBFS. At its loud end an even fade is three
  /// times as steep.
  private var leastLine: UInt32 { @_noLocks get { isEven ? 9000 : 3000 } }

  @_noLocks init() {}

  /// Whether the gain is constant and exactly 1.
  private var isOne: Bool { @_noLocks get { done == length && goal == 1 } }

  /// Whether it is in a fade that runs to its end: a short one, or one of `endsFirst`.
  var isBusy: Bool { @_noLocks get { done < length && (endsFirst || length < leastLine) } }

  /// Samples until the gain is constant.
  var left: Int { @_noLocks get { Int(length &- done) } }

  /// Starts a fade from the current gain to `goal`, in so many samples. It breaks off the fade that is running, so it is
  /// called only while `isBusy` is false. `endsFirst`: `isBusy` until its end, however long it is.
  @_noLocks
  mutating func go(to goal: Float, in samples: UInt32, isEven: Bool = false, endsFirst: Bool = false) {
    from = now
    self.goal = goal
    self.isEven = isEven
    self.endsFirst = endsFirst
    length = max(1, samples)
    done = 0
    if isEven && length >= leastLine { roots = (Self.cubeRoot(from), Self.cubeRoot(goal)) }
  }

  /// The cube root by Newton's method, with the same bits on every processor. The first guess, from a third of the
  /// exponent, is within 4 %.
  @_noLocks
  private static func cubeRoot(_ factor: Float) -> Float {
    guard factor > 0 else { return 0 }
    let number = Double(factor)
    var root = Double(Float(bitPattern: factor.bitPattern / 3 &+ 0x2a51_4067))
    var step = 0
    while step < 4 {
      root = (2 * root + number / (root * root)) / 3
      step &+= 1
    }
    return Float(root)
  }

  /// Jumps to its goal.
  @_noLocks
  mutating func arrive() { done = length }

  /// Advances by so many samples in silence, where a fade that `isBusy` ends at once.
  @_noLocks
  mutating func rest(_ count: Int) {
    if isBusy { arrive() } else { advance(min(count, left)) }
  }

  /// The current gain.
  private var now: Float { @_noLocks get { done == length ? goal : factor(done) } }

  /// The gain after so many samples of the fade.
  @_noLocks
  private func factor(_ done: UInt32) -> Float {
    let t = Float(done) / Float(length)
    if length < leastLine { return from + (goal - from) * (t * t * (3 - 2 * t)) }
    guard isEven else { return from + (goal - from) * t }
    let root = roots.from + (roots.goal - roots.from) * t
    return root * root * root
  }

  /// Multiplies samples, without advancing; at most `left` of them during a fade.
  @_noLocks
  func apply(to samples: UnsafeMutablePointer<Float>, _ count: Int) {
    if isOne { return }
    if done == length { return vg_scale(samples, samples, goal, count) }
    if length >= leastLine && !isEven { return vg_ramp(samples, samples, 1, from, goal, done, length, count) }
    var i = 0
    while i < count {
      samples[i] = samples[i] * factor(done &+ 1 &+ UInt32(truncatingIfNeeded: i))
      i &+= 1
    }
  }

  /// Advances by so many samples, at most `left` during a fade.
  @_noLocks
  mutating func advance(_ count: Int) { if done < length { done &+= UInt32(truncatingIfNeeded: count) } }
}
