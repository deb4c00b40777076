import Synchronization

/// What the two ends of a deck look at for one of its lanes. The control side writes it before the lane is offered, but
/// for `owner`, which passes to and fro.
struct LaneWords: ~Copyable {
  /// Whom a lane belongs to.
  enum Owner {
    /// The control side, which may empty and fill it.
    static var control: UInt32 { @_noLocks get { 0 } }
    /// It is filled, and the callback may take it.
    static var offered: UInt32 { @_noLocks get { 1 } }
    /// The callback.
    static var callback: UInt32 { @_noLocks get { 2 } }
  }

  /// The value of `splice` that means: at once.
  static var now: Int64 { @_noLocks get { .min } }

  /// One of `Owner`.
  let owner = Atomic<UInt32>(0)
  /// Which turn of the player it holds.
  let turn = Atomic<Int64>(0)
  /// Where in the lane that is heard it follows, in samples, or `now`.
  let splice = Atomic<Int64>(.min)
  /// Whether it begins with the beginning of a track, which needs no ramp.
  let isBeginning = Atomic<Bool>(false)
  /// The place of the host's transport at its first sample.
  let base = Atomic<Int64>(0)
}
