import CRealtime

/// A smoothed gain: a factor that goes to another, sample by sample, so that nothing clicks. [audio]
///
/// A long way is a straight line, or an even one: there the cube root of the factor goes in a straight line, which the ear
/// hears as even and which is within 5 dB of a console's fader down to -40 dB. On a short way the corners of a line could
/// be heard: there it is the curve of `FadeTable`, and nothing else begins before it has arrived.
struct GainSmoother: BitwiseCopyable {
  private var from: Float = 1
  private(set) var goal: Float = 1
  private var length: UInt32 = 1
  private var done: UInt32 = 1
  private var isEven = false
  /// The cube roots of both ends of an even way.
  private var roots: (from: Float, goal: Float) = (1, 1)

  /// From this length on the corners of a line are below -60 dBFS, even where it turns back: 2 ÷ 3000; at its loud end an
  /// even way is three times as steep.
  private var leastLine: UInt32 { @_noLocks get { isEven ? 9000 : 3000 } }

  @_noLocks init() {}

  /// Whether it stands at exactly 1.
  private var isOne: Bool { @_noLocks get { done == length && goal == 1 } }

  /// Whether it is on a curve, which is not left before its end.
  var isBusy: Bool { @_noLocks get { done < length && length < leastLine } }

  /// How many samples it needs until it stands.
  var left: Int { @_noLocks get { Int(length &- done) } }

  /// Begins to go to `goal`, from where it is, in so many samples.
  @_noLocks
  mutating func go(to goal: Float, in samples: UInt32, isEven: Bool = false) {
    from = now
    self.goal = goal
    self.isEven = isEven
    length = max(1, samples)
    done = 0
    if isEven && length >= leastLine { roots = (Self.cubeRoot(from), Self.cubeRoot(goal)) }
  }

  /// By Newton's method, in operations that are exact to the bit on every processor: a third of the exponent is within 4 %.
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

  /// Stands at its goal.
  @_noLocks
  mutating func arrive() { done = length }

  /// Goes on through silence, where a curve is at its end at once.
  @_noLocks
  mutating func rest(_ count: Int) {
    if isBusy { arrive() } else { advance(min(count, left)) }
  }

  /// Where it is.
  private var now: Float { @_noLocks get { done == length ? goal : factor(done) } }

  /// The factor after so many samples of the way.
  @_noLocks
  private func factor(_ done: UInt32) -> Float {
    let t = Float(done) / Float(length)
    if length < leastLine { return from + (goal - from) * (t * t * (3 - 2 * t)) }
    guard isEven else { return from + (goal - from) * t }
    let root = roots.from + (roots.goal - roots.from) * t
    return root * root * root
  }

  /// Multiplies samples, at most `left` of them while it moves.
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

  /// Goes on by so many samples.
  @_noLocks
  mutating func advance(_ count: Int) { if done < length { done &+= UInt32(truncatingIfNeeded: count) } }
}
