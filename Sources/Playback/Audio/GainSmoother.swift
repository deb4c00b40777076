import CRealtime

/// A smoothed gain, which fades to a goal sample by sample, so that nothing clicks. [audio]
///
/// A long fade is linear, or even (`isEven`): then the cube root of the gain is linear, which sounds even and is
/// within 5 dB of a console fader down to −40 dB. In a short fade the corners of a line would be audible, so it takes
/// the curve of `FadeTable` and runs to its end before another begins.
struct GainSmoother: BitwiseCopyable {
  private var from: Float = 1
  private(set) var goal: Float = 1
  private var length: UInt32 = 1
  private var done: UInt32 = 1
  private var isEven = false
  /// The cube roots of the gains at both ends of an even fade.
  private var roots: (from: Float, goal: Float) = (1, 1)

  /// The shortest linear fade in samples: its corners are below −60 dBFS even where it reverses (2 ÷ 3000). At its
  /// loud end an even fade is three times as steep.
  private var leastLine: UInt32 { @_noLocks get { isEven ? 9000 : 3000 } }

  @_noLocks init() {}

  /// Whether the gain is constant and exactly 1.
  private var isOne: Bool { @_noLocks get { done == length && goal == 1 } }

  /// Whether it is in a short fade, which runs to its end.
  var isBusy: Bool { @_noLocks get { done < length && length < leastLine } }

  /// Samples until the gain is constant.
  var left: Int { @_noLocks get { Int(length &- done) } }

  /// Starts a fade from the current gain to `goal`, in so many samples.
  @_noLocks
  mutating func go(to goal: Float, in samples: UInt32, isEven: Bool = false) {
    from = now
    self.goal = goal
    self.isEven = isEven
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

  /// Advances in silence, where a short fade ends at once.
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

  /// Multiplies samples; at most `left` of them during a fade.
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

  /// Advances by so many samples.
  @_noLocks
  mutating func advance(_ count: Int) { if done < length { done &+= UInt32(truncatingIfNeeded: count) } }
}
