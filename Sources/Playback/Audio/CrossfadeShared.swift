import Realtime
import Synchronization

/// What both ends of a `CrossfadeBuffer` share besides its sides: atomics only.
struct CrossfadeShared: ~Copyable {
  // The control side's.

  /// The least generation that may be heard.
  let leastGeneration = Atomic<Int64>(0)
  /// Whether it should play.
  let plays = Atomic<Bool>(false)
  /// The sample of the timeline where it begins to play.
  let start = Atomic<Int64>(.min)
  /// Where the volume goes: the bits of a Float, then in one bit whether it goes in a straight line, then in how many
  /// samples.
  let volume = Atomic<UInt64>(UInt64(Float(1).bitPattern) << 32)
  /// The volume that was set before that one: the bits of a Float, then how often one was set, then in one bit whether
  /// it was to be reached at once.
  let volumeBefore = Atomic<UInt64>(0)
  /// The factors of the first channel and of the second: the bits of two Floats.
  let balance = Atomic<UInt64>(UInt64(Float(1).bitPattern) << 32 | UInt64(Float(1).bitPattern))
  /// In how many samples those are reached; written before them.
  let balanceSamples = Atomic<UInt64>(0)
  /// Set to let the sound begin again from silence; the callback clears it.
  let isFresh = Atomic<Bool>(false)

  // The callback's.

  /// The side that is heard; -1 where there is none.
  let heard = Atomic<Int64>(-1)
  /// Whether anything can be heard of it: it plays, or is falling silent.
  let sounds = Atomic<Bool>(false)
  /// Samples of the timeline so far.
  let sample = Atomic<Int64>(0)
  /// How many sides have been played to their end.
  let endings = Atomic<Int64>(0)
  /// How often samples were not there in time.
  let underruns = Atomic<Int64>(0)
  /// Samples of silence that stood in for them.
  let missing = Atomic<Int64>(0)
  /// The place of the host's transport that no side holds; `Int64.min` where all is well.
  let lost = Atomic<Int64>(.min)

  init() {}
}

/// How a volume and the way to it stand in one word.
enum VolumeWord {
  /// Set where the way is a straight line.
  static var straight: UInt64 { @_noLocks get { 0x8000_0000 } }

  /// In how many samples.
  @_noLocks static func samples(_ word: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: word & 0x7fff_ffff) }
}

/// What both ends of a crossfade buffer share for one of its sides. The control side writes it before the side is
/// offered, but for `owner`, which passes to and fro.
struct CrossfadeSideShared: ~Copyable {
  /// Whom a side belongs to.
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
  /// Which generation of the player it holds.
  let generation = Atomic<Int64>(0)
  /// Where in the side that is heard it follows, in samples, or `now`.
  let splice = Atomic<Int64>(.min)
  /// Whether it begins with the beginning of a track, which needs no ramp.
  let isBeginning = Atomic<Bool>(false)
  /// The place of the host's transport at its first sample.
  let base = Atomic<Int64>(0)
}
