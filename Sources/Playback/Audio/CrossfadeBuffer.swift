public import Realtime
import Synchronization

/// A double buffer with a crossfade between a player and the audio callback, so that a player can jump without a
/// click. It has two sides, A and B, each a ring buffer of samples.
///
/// [any], but [one] fills sides: [disk] while a show is live. One side is heard while the other is filled with what
/// follows. The callback crossfades from one to the other and returns the old one. The control side (every thread but
/// the callback's) fills a side that it owns through `side(_:)` and `offer`s it, and may `takeBack` it until the
/// callback takes it. `generation` numbers what should be heard; `invalidate(before:)` makes everything older fade out
/// at once, even before its successor is ready. The other end is a `CrossfadeReader`. The crossfade buffer must
/// outlive it.
public final class CrossfadeBuffer: @unchecked Sendable {
  /// Number of channels.
  public let channels: Int
  /// Length of a fade in samples.
  public let fade: Int
  /// Samples that a side must hold, unless it has its end, before it is offered, and again after the disk was late.
  public let enough: Int
  /// Samples per channel of each side.
  public var capacity: Int { sides[0].capacity }

  let shared: UnsafeMutablePointer<CrossfadeShared>
  let sideShared: UnsafeMutablePointer<CrossfadeSideShared>
  let sides: [SampleRing]

  /// The smallest capacity in samples per channel: what is left must last for the longest cycle and a fade.
  public static var leastCapacity: Int { 4 * Cycle.longestSegment }

  /// Allocates both sides.
  ///
  /// - Parameters:
  ///   - channels: number of channels, at least 1.
  ///   - minimumCapacity: samples per channel and side; at least `leastCapacity`, rounded up to a power of two.
  ///   - fade: length of a fade in samples, 1…4096.
  public init(channels: Int, minimumCapacity: Int, fade: Int) {
    self.channels = max(1, channels)
    self.fade = max(1, min(4096, fade))
    let capacity = max(Self.leastCapacity, minimumCapacity)
    sides = (0..<2).map { _ in SampleRing(channels: channels, minimumCapacity: capacity) }
    enough = 2 * Cycle.longestSegment
    shared = .allocate(capacity: 1)
    shared.initialize(to: CrossfadeShared())
    sideShared = .allocate(capacity: 2)
    for side in 0..<2 { (sideShared + side).initialize(to: CrossfadeSideShared()) }
  }

  deinit {
    shared.deinitialize(count: 1)
    shared.deallocate()
    sideShared.deinitialize(count: 2)
    sideShared.deallocate()
  }

  // MARK: - Sides

  /// The writer of side 0 or 1; only for a free side, or one that is being filled.
  public func side(_ number: Int) -> SampleRingWriter { sides[number].writer }

  /// A side that the control side owns; nil while one is heard and the other is on offer or fading out.
  public var freeSide: Int? {
    (0..<2).first { sideShared[$0].owner.load(ordering: .acquiring) == CrossfadeSideShared.Owner.control }
  }

  /// Empties a free side.
  public func clear(_ side: Int) { sides[side].clear() }

  /// Offers a filled side to the callback.
  ///
  /// - Parameters:
  ///   - side: 0 or 1.
  ///   - generation: the generation that it holds, from 1, greater than any before.
  ///   - splice: the sample of the side that is heard at which this one follows; if the callback is already beyond, it
  ///     skips as many samples. nil: it begins at its first sample as soon as the callback sees it.
  ///   - isBeginning: whether it begins at the beginning of a track, and so without a fade-in if nothing is heard.
  ///   - base: the place of the host's transport at its first sample, for a player that follows it.
  public func offer(_ side: Int, generation: Int64, splice: Int64?, isBeginning: Bool, base: Int64 = 0) {
    sideShared[side].generation.store(generation, ordering: .relaxed)
    sideShared[side].splice.store(splice ?? CrossfadeSideShared.now, ordering: .relaxed)
    sideShared[side].isBeginning.store(isBeginning, ordering: .relaxed)
    sideShared[side].base.store(base, ordering: .relaxed)
    sideShared[side].owner.store(CrossfadeSideShared.Owner.offered, ordering: .releasing)
  }

  /// Takes back the side on offer; nil if the callback has taken it or none is on offer.
  public func takeBack() -> Int? {
    (0..<2).first { side in
      sideShared[side].owner.compareExchange(
        expected: CrossfadeSideShared.Owner.offered, desired: CrossfadeSideShared.Owner.control,
        ordering: .acquiringAndReleasing
      ).exchanged
    }
  }

  /// Makes everything older than a generation fade out at once.
  public func invalidate(before generation: Int64) {
    shared.pointee.leastGeneration.store(generation, ordering: .releasing)
  }

  /// What is heard: its generation, its side, and the samples of it so far; nil if nothing is.
  public var heard: (generation: Int64, side: Int, position: Int64)? {
    while true {
      let side = Int(shared.pointee.heard.load(ordering: .acquiring))
      guard side >= 0 else { return nil }
      let generation = sideShared[side].generation.load(ordering: .acquiring)
      let position = sides[side].writer.consumed
      // Reads again if the callback has changed sides or generation meanwhile.
      if Int(shared.pointee.heard.load(ordering: .acquiring)) == side,
        sideShared[side].generation.load(ordering: .relaxed) == generation
      {
        return (generation, side, position)
      }
    }
  }

  // MARK: - Transport

  /// Starts or resumes, at a sample of the timeline if one is given.
  public func play(at sample: Int64? = nil) {
    shared.pointee.start.store(sample ?? .min, ordering: .relaxed)
    shared.pointee.plays.store(true, ordering: .releasing)
  }

  /// Fades out and pauses.
  public func pause() { shared.pointee.plays.store(false, ordering: .releasing) }

  /// Whether it is set to play.
  public var plays: Bool { shared.pointee.plays.load(ordering: .acquiring) }

  /// Whether something is audible: false when it has paused and faded out.
  public var sounds: Bool { shared.pointee.sounds.load(ordering: .acquiring) }

  /// Fades in again from silence, after the callback had stopped.
  public func beginAgain() { shared.pointee.isFresh.store(true, ordering: .releasing) }

  /// Fades to a volume, along the cube root of the gain or along a straight line; a short fade takes the curve of
  /// `FadeTable`, because the corners of a line would be audible.
  ///
  /// A volume that is set at once and a fade right after it begin with that volume, even if no cycle lies between
  /// them. Called by one thread at a time.
  ///
  /// - Parameters:
  ///   - volume: the gain, at least 0.
  ///   - samples: the duration; at least `fade`.
  ///   - isLinear: whether the gain itself changes linearly, and not its cube root.
  public func volume(to volume: Float, in samples: Int, isLinear: Bool = false) {
    let before = shared.pointee.volume.load(ordering: .relaxed)
    let wasAtOnce: UInt64 = Int(VolumeWord.samples(before)) <= fade ? 1 : 0
    let count = UInt64(UInt32(truncatingIfNeeded: shared.pointee.volumeBefore.load(ordering: .relaxed))) &+ 2
    shared.pointee.volumeBefore.store(
      before & 0xffff_ffff_0000_0000 | count & 0xffff_fffe | wasAtOnce, ordering: .relaxed)
    let bits =
      UInt64(volume.bitPattern) << 32 | (isLinear ? VolumeWord.straight : 0)
      | UInt64(VolumeWord.samples(UInt64(Int32(clamping: max(fade, samples)))))
    shared.pointee.volume.store(bits, ordering: .releasing)
  }

  /// Fades to other gains of the first two channels, linearly in so many samples, at least `fade`.
  public func balance(left: Float, right: Float, in samples: Int = 0) {
    shared.pointee.balanceSamples.store(UInt64(UInt32(clamping: samples)), ordering: .relaxed)
    shared.pointee.balance.store(
      UInt64(left.bitPattern) << 32 | UInt64(right.bitPattern), ordering: .releasing)
  }

  // MARK: - Counters

  /// The samples of the timeline so far.
  public var sample: Int64 { shared.pointee.sample.load(ordering: .relaxed) }

  /// Number of sides that have been played to their end.
  public var endings: Int64 { shared.pointee.endings.load(ordering: .acquiring) }

  /// Number of underruns, and of missing samples.
  public var underruns: (count: Int64, samples: Int64) {
    (shared.pointee.underruns.load(ordering: .relaxed), shared.pointee.missing.load(ordering: .relaxed))
  }

  /// Takes the place of the host's transport that the callback did not find in its side; nil if there is none.
  public func takeLost() -> Int64? {
    let place = shared.pointee.lost.exchange(.min, ordering: .acquiringAndReleasing)
    return place == .min ? nil : place
  }
}
