public import Realtime
import Synchronization

/// A double buffer with a crossfade between a player and the audio callback, so that a player can begin elsewhere without
/// a click: two sides, A and B, each a ring buffer of samples.
///
/// [any], but [one] fills sides: [disk] while a show is live. One side is heard, the other is being filled with what
/// should be heard next. The callback crossfades from one to the other, and gives the old one back. The control
/// side, whatever thread that is, fills a side that it owns through `side(_:)`, `offer`s it, and may `takeBack` it as
/// long as the callback has not taken it. `generation` numbers what should be heard; with `invalidate(before:)` everything older falls silent at once, whether its successor is there or not.
///
/// The other end is a `CrossfadeReader`. The crossfade buffer must outlive it.
public final class CrossfadeBuffer: @unchecked Sendable {
  /// Channels of each side.
  public let channels: Int
  /// Samples of a ramp.
  public let fade: Int
  /// Samples that a side must hold, or its end, before it is offered, and again after the disk was late.
  public let enough: Int
  /// Samples per channel that a side holds.
  public var capacity: Int { sides[0].capacity }

  let shared: UnsafeMutablePointer<CrossfadeShared>
  let sideShared: UnsafeMutablePointer<CrossfadeSideShared>
  let sides: [SampleRing]

  /// The least samples per channel that a side can hold: what is left must last for the longest cycle and a ramp.
  public static var leastCapacity: Int { 4 * Cycle.longestSegment }

  /// Allocates both sides.
  ///
  /// - Parameters:
  ///   - channels: at least 1.
  ///   - minimumCapacity: samples per channel and side; at least `leastCapacity`, rounded up to a power of two.
  ///   - fade: samples of a ramp, 1 … 4096.
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

  /// A side, by number 0 or 1, to be filled; only while it is free.
  public func side(_ number: Int) -> SampleRingWriter { sides[number].writer }

  /// A side that belongs to the control side; nil while one is heard and the other on offer or falling silent.
  public var freeSide: Int? {
    (0..<2).first { sideShared[$0].owner.load(ordering: .acquiring) == CrossfadeSideShared.Owner.control }
  }

  /// Empties a free side.
  public func clear(_ side: Int) { sides[side].clear() }

  /// Lets the callback take a free side that is filled.
  ///
  /// - Parameters:
  ///   - side: 0 or 1.
  ///   - generation: what it holds; from 1, more than any before.
  ///   - splice: where in the side that is heard it follows, in samples of that one; what has been heard beyond that
  ///     is left out of the new one. nil: it begins as soon as the callback sees it, with its first sample.
  ///   - isBeginning: it begins with the beginning of a track; then it begins without a ramp where nothing is heard.
  ///   - base: the place of the host's transport at its first sample, for a crossfade buffer that follows.
  public func offer(_ side: Int, generation: Int64, splice: Int64?, isBeginning: Bool, base: Int64 = 0) {
    sideShared[side].generation.store(generation, ordering: .relaxed)
    sideShared[side].splice.store(splice ?? CrossfadeSideShared.now, ordering: .relaxed)
    sideShared[side].isBeginning.store(isBeginning, ordering: .relaxed)
    sideShared[side].base.store(base, ordering: .relaxed)
    sideShared[side].owner.store(CrossfadeSideShared.Owner.offered, ordering: .releasing)
  }

  /// Takes back the side on offer; nil where the callback was faster or none is.
  public func takeBack() -> Int? {
    (0..<2).first { side in
      sideShared[side].owner.compareExchange(
        expected: CrossfadeSideShared.Owner.offered, desired: CrossfadeSideShared.Owner.control,
        ordering: .acquiringAndReleasing
      ).exchanged
    }
  }

  /// Lets everything older than a generation fall silent at once.
  public func invalidate(before generation: Int64) {
    shared.pointee.leastGeneration.store(generation, ordering: .releasing)
  }

  /// What is heard: its generation, its side, and how many samples of it have been; nil where nothing is.
  public var heard: (generation: Int64, side: Int, position: Int64)? {
    while true {
      let side = Int(shared.pointee.heard.load(ordering: .acquiring))
      guard side >= 0 else { return nil }
      let generation = sideShared[side].generation.load(ordering: .acquiring)
      let position = sides[side].writer.consumed
      // Another generation in the same side is another story.
      if Int(shared.pointee.heard.load(ordering: .acquiring)) == side,
        sideShared[side].generation.load(ordering: .relaxed) == generation
      {
        return (generation, side, position)
      }
    }
  }

  // MARK: - Transport

  /// Begins to play, or goes on; at a sample of the timeline where one is given.
  public func play(at sample: Int64? = nil) {
    shared.pointee.start.store(sample ?? .min, ordering: .relaxed)
    shared.pointee.plays.store(true, ordering: .releasing)
  }

  /// Falls silent along a ramp, and holds still.
  public func pause() { shared.pointee.plays.store(false, ordering: .releasing) }

  /// Whether it should play.
  public var plays: Bool { shared.pointee.plays.load(ordering: .acquiring) }

  /// Whether something can be heard: false when it holds still and the ramp is over.
  public var sounds: Bool { shared.pointee.sounds.load(ordering: .acquiring) }

  /// Begins again from silence, along a ramp: the callback had stopped.
  public func beginAgain() { shared.pointee.isFresh.store(true, ordering: .releasing) }

  /// Goes to a volume, evenly for the ear or in a straight line; along a curve where that is so short that corners could be
  /// heard.
  ///
  /// A volume at once and then a fade begins with that volume, even if no cycle lies between. Called by one thread at a
  /// time.
  ///
  /// - Parameters:
  ///   - volume: a factor, at least 0.
  ///   - samples: how long that takes; never less than `fade`.
  ///   - isStraight: whether the factor itself goes in a straight line, and not its cube root.
  public func volume(to volume: Float, in samples: Int, isStraight: Bool = false) {
    let before = shared.pointee.volume.load(ordering: .relaxed)
    let wasAtOnce: UInt64 = Int(VolumeWord.samples(before)) <= fade ? 1 : 0
    let count = UInt64(UInt32(truncatingIfNeeded: shared.pointee.volumeBefore.load(ordering: .relaxed))) &+ 2
    shared.pointee.volumeBefore.store(
      before & 0xffff_ffff_0000_0000 | count & 0xffff_fffe | wasAtOnce, ordering: .relaxed)
    let bits =
      UInt64(volume.bitPattern) << 32 | (isStraight ? VolumeWord.straight : 0)
      | UInt64(VolumeWord.samples(UInt64(Int32(clamping: max(fade, samples)))))
    shared.pointee.volume.store(bits, ordering: .releasing)
  }

  /// Goes to other factors of the first two channels in so many samples, along straight lines or at least a ramp.
  public func balance(left: Float, right: Float, in samples: Int = 0) {
    shared.pointee.balanceSamples.store(UInt64(UInt32(clamping: samples)), ordering: .relaxed)
    shared.pointee.balance.store(
      UInt64(left.bitPattern) << 32 | UInt64(right.bitPattern), ordering: .releasing)
  }

  // MARK: - What has happened

  /// Samples of the timeline so far.
  public var sample: Int64 { shared.pointee.sample.load(ordering: .relaxed) }

  /// How many sides have been played to their end.
  public var endings: Int64 { shared.pointee.endings.load(ordering: .acquiring) }

  /// How often samples were not there in time, and how many.
  public var underruns: (count: Int64, samples: Int64) {
    (shared.pointee.underruns.load(ordering: .relaxed), shared.pointee.missing.load(ordering: .relaxed))
  }

  /// Takes the place of the host's transport that the callback could not find in its side; nil where all is well.
  public func takeLost() -> Int64? {
    let place = shared.pointee.lost.exchange(.min, ordering: .acquiringAndReleasing)
    return place == .min ? nil : place
  }
}
