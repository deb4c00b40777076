import CRealtime

/// A factor that goes to another along a straight line, sample by sample. [audio]
struct GainGlide: BitwiseCopyable {
  private var from: Float = 1
  private var to: Float = 1
  private var length: UInt32 = 1
  private var done: UInt32 = 1

  @_noLocks init() {}

  /// Whether it stands at exactly 1.
  var isOne: Bool { @_noLocks get { done == length && to == 1 } }

  /// How many samples it needs until it stands.
  var left: Int { @_noLocks get { Int(length &- done) } }

  /// Begins to go to `goal`, from where it is, in so many samples.
  @_noLocks
  mutating func go(to goal: Float, in samples: UInt32) {
    from = now
    to = goal
    length = max(1, samples)
    done = 0
  }

  /// Stands at its goal.
  @_noLocks
  mutating func arrive() { done = length }

  /// Where it is.
  private var now: Float {
    @_noLocks get { done == length ? to : from + (to - from) * (Float(done) / Float(length)) }
  }

  /// Multiplies samples, at most `left` of them while it moves.
  @_noLocks
  func apply(to samples: UnsafeMutablePointer<Float>, _ count: Int) {
    if isOne { return }
    if done == length {
      vg_scale(samples, samples, to, count)
    } else {
      vg_ramp(samples, samples, 1, from, to, done, length, count)
    }
  }

  /// Goes on by so many samples.
  @_noLocks
  mutating func advance(_ count: Int) { if done < length { done &+= UInt32(truncatingIfNeeded: count) } }
}
