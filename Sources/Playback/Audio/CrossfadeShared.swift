import Realtime
import Synchronization

/// The state that both ends of a `CrossfadeBuffer` share besides its sides; only atomics.
struct CrossfadeShared: ~Copyable {
  // Written by the control side.

  /// The oldest generation that may be heard.
  let leastGeneration = Atomic<Int64>(0)
  /// Whether it is set to play.
  let plays = Atomic<Bool>(false)
  /// The sample of the timeline at which it begins to play.
  let start = Atomic<Int64>(.min)
  /// The goal of the volume: bits 32…63 a Float, bit 31 whether the fade is linear, bits 0…30 its samples.
  let volume = Atomic<UInt64>(UInt64(Float(1).bitPattern) << 32)
  /// The volume that was set before: bits 32…63 a Float, bits 1…31 a counter of settings, bit 0 whether it was to be
  /// reached at once.
  let volumeBefore = Atomic<UInt64>(0)
  /// The gains of the first and the second channel: the bits of two Floats.
  let balance = Atomic<UInt64>(UInt64(Float(1).bitPattern) << 32 | UInt64(Float(1).bitPattern))
  /// Samples of the fade to `balance`; written before it.
  let balanceSamples = Atomic<UInt64>(0)
  /// Set to fade in again from silence; the callback clears it.
  let isFresh = Atomic<Bool>(false)

  // Written by the callback.

  /// The side that is heard; −1: none.
  let heard = Atomic<Int64>(-1)
  /// Whether anything is audible: it plays or fades out.
  let sounds = Atomic<Bool>(false)
  /// The samples of the timeline so far.
  let sample = Atomic<Int64>(0)
  /// Number of sides that have been played to their end.
  let endings = Atomic<Int64>(0)
  /// Number of underruns.
  let underruns = Atomic<Int64>(0)
  /// Samples of silence in place of missing ones.
  let missing = Atomic<Int64>(0)
  /// The place of the host's transport that no side holds; `Int64.min`: none.
  let lost = Atomic<Int64>(.min)

  init() {}
}

/// The layout of `volume` in one word.
enum VolumeWord {
  /// The bit of a linear fade.
  static var straight: UInt64 { @_noLocks get { 0x8000_0000 } }

  /// The samples of the fade.
  @_noLocks static func samples(_ word: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: word & 0x7fff_ffff) }
}

/// The state that both ends share for one side. The control side writes it before it offers the side; `owner` passes
/// between both.
struct CrossfadeSideShared: ~Copyable {
  /// The owner of a side.
  enum Owner {
    /// The control side, which may clear and fill it.
    static var control: UInt32 { @_noLocks get { 0 } }
    /// Filled and on offer: the callback may take it.
    static var offered: UInt32 { @_noLocks get { 1 } }
    /// The callback, which reads it.
    static var callback: UInt32 { @_noLocks get { 2 } }
  }

  /// The value of `splice` for "at once".
  static var now: Int64 { @_noLocks get { .min } }

  /// One of `Owner`.
  let owner = Atomic<UInt32>(0)
  /// The generation of the player that it holds.
  let generation = Atomic<Int64>(0)
  /// The sample of the side that is heard at which it follows, or `now`.
  let splice = Atomic<Int64>(.min)
  /// Whether it begins at the beginning of a track, which needs no fade-in.
  let isBeginning = Atomic<Bool>(false)
  /// The place of the host's transport at its first sample.
  let base = Atomic<Int64>(0)
}
