public import Realtime
import Synchronization

/// Two lanes of samples between a player and the audio callback, so that a player can begin elsewhere without a click.
///
/// [any], but [one] fills lanes: [disk] while a show is live. One lane is heard, the other is being filled with what
/// shall be heard next. The callback goes from one to the other along a ramp, and gives the old one back. The control
/// side, whatever thread that is, fills a lane that it owns through `lane(_:)`, `offer`s it, and may `takeBack` it as
/// long as the callback has not taken it. `turn` numbers what shall be heard; with `call` everything older falls silent
/// at once, whether its successor is there or not.
///
/// The other end is a `DeckVoice`. The deck must outlive it.
public final class Deck: @unchecked Sendable {
  /// Channels of each lane.
  public let channels: Int
  /// Samples of a ramp.
  public let fade: Int
  /// Samples that a lane must hold, or its end, before it is offered, and again after the disk was late.
  public let enough: Int
  /// Samples per channel that a lane holds.
  public var capacity: Int { lanes[0].capacity }

  let words: UnsafeMutablePointer<DeckWords>
  let laneWords: UnsafeMutablePointer<LaneWords>
  let lanes: [SampleRing]

  /// The least samples per channel that a lane can hold: what is left must last for the longest cycle and a ramp.
  public static var leastCapacity: Int { 4 * Cycle.longestSegment }

  /// Allocates both lanes.
  ///
  /// - Parameters:
  ///   - channels: at least 1.
  ///   - minimumCapacity: samples per channel and lane; at least `leastCapacity`, rounded up to a power of two.
  ///   - fade: samples of a ramp, 1 … 4096.
  public init(channels: Int, minimumCapacity: Int, fade: Int) {
    self.channels = max(1, channels)
    self.fade = max(1, min(4096, fade))
    let capacity = max(Self.leastCapacity, minimumCapacity)
    lanes = (0..<2).map { _ in SampleRing(channels: channels, minimumCapacity: capacity) }
    enough = 2 * Cycle.longestSegment
    words = .allocate(capacity: 1)
    words.initialize(to: DeckWords())
    laneWords = .allocate(capacity: 2)
    for lane in 0..<2 { (laneWords + lane).initialize(to: LaneWords()) }
  }

  deinit {
    words.deinitialize(count: 1)
    words.deallocate()
    laneWords.deinitialize(count: 2)
    laneWords.deallocate()
  }

  // MARK: - Lanes

  /// A lane, by number 0 or 1, to be filled; only while it is free.
  public func lane(_ number: Int) -> SampleRingWriter { lanes[number].writer }

  /// A lane that belongs to the control side; nil while one is heard and the other on offer or falling silent.
  public var freeLane: Int? {
    (0..<2).first { laneWords[$0].owner.load(ordering: .acquiring) == LaneWords.Owner.control }
  }

  /// Empties a free lane.
  public func clear(_ lane: Int) { lanes[lane].clear() }

  /// Lets the callback take a free lane that is filled.
  ///
  /// - Parameters:
  ///   - lane: 0 or 1.
  ///   - turn: what it holds; from 1, more than any before.
  ///   - splice: where in the lane that is heard it follows, in samples of that one; what has been heard beyond that
  ///     is left out of the new one. nil: it begins as soon as the callback sees it, with its first sample.
  ///   - isBeginning: it begins with the beginning of a track; then it begins without a ramp where nothing is heard.
  ///   - base: the place of the host's transport at its first sample, for a deck that follows.
  public func offer(_ lane: Int, turn: Int64, splice: Int64?, isBeginning: Bool, base: Int64 = 0) {
    laneWords[lane].turn.store(turn, ordering: .relaxed)
    laneWords[lane].splice.store(splice ?? LaneWords.now, ordering: .relaxed)
    laneWords[lane].isBeginning.store(isBeginning, ordering: .relaxed)
    laneWords[lane].base.store(base, ordering: .relaxed)
    laneWords[lane].owner.store(LaneWords.Owner.offered, ordering: .releasing)
  }

  /// Takes back the lane on offer; nil where the callback was faster or none is.
  public func takeBack() -> Int? {
    (0..<2).first { lane in
      laneWords[lane].owner.compareExchange(
        expected: LaneWords.Owner.offered, desired: LaneWords.Owner.control,
        ordering: .acquiringAndReleasing
      ).exchanged
    }
  }

  /// Lets everything older than a turn fall silent at once.
  public func call(turn: Int64) { words.pointee.called.store(turn, ordering: .releasing) }

  /// What is heard: its turn, its lane, and how many samples of it have been; nil where nothing is.
  public var heard: (turn: Int64, lane: Int, position: Int64)? {
    while true {
      let lane = Int(words.pointee.heard.load(ordering: .acquiring))
      guard lane >= 0 else { return nil }
      let turn = laneWords[lane].turn.load(ordering: .acquiring)
      let position = lanes[lane].writer.consumed
      // Another turn in the same lane is another story.
      if Int(words.pointee.heard.load(ordering: .acquiring)) == lane,
        laneWords[lane].turn.load(ordering: .relaxed) == turn
      {
        return (turn, lane, position)
      }
    }
  }

  // MARK: - Transport

  /// Begins to play, or goes on; at a sample of the timeline where one is given.
  public func play(at sample: Int64? = nil) {
    words.pointee.start.store(sample ?? .min, ordering: .relaxed)
    words.pointee.plays.store(true, ordering: .releasing)
  }

  /// Falls silent along a ramp, and holds still.
  public func pause() { words.pointee.plays.store(false, ordering: .releasing) }

  /// Whether it shall play.
  public var plays: Bool { words.pointee.plays.load(ordering: .acquiring) }

  /// Whether something can be heard: false when it holds still and the ramp is over.
  public var sounds: Bool { words.pointee.sounds.load(ordering: .acquiring) }

  /// Begins again from silence, along a ramp: the callback had stopped.
  public func beginAgain() { words.pointee.isFresh.store(true, ordering: .releasing) }

  /// Goes to a volume along a straight line, or a curve where that is so short that its corners could be heard.
  ///
  /// A volume at once and then a fade begins with that volume, even if no cycle lies between. Called by one thread at a
  /// time.
  ///
  /// - Parameters:
  ///   - volume: a factor, at least 0.
  ///   - samples: how long that takes; never less than `fade`.
  public func volume(to volume: Float, in samples: Int) {
    let before = words.pointee.volume.load(ordering: .relaxed)
    let wasAtOnce: UInt64 = before & 0xffff_ffff <= UInt64(fade) ? 1 : 0
    let count = UInt64(UInt32(truncatingIfNeeded: words.pointee.volumeBefore.load(ordering: .relaxed))) &+ 2
    words.pointee.volumeBefore.store(
      before & 0xffff_ffff_0000_0000 | count & 0xffff_fffe | wasAtOnce, ordering: .relaxed)
    let bits = UInt64(volume.bitPattern) << 32 | UInt64(UInt32(clamping: max(fade, samples)))
    words.pointee.volume.store(bits, ordering: .releasing)
  }

  /// Goes to other factors of the first two channels along a ramp.
  public func balance(left: Float, right: Float) {
    words.pointee.balance.store(
      UInt64(left.bitPattern) << 32 | UInt64(right.bitPattern), ordering: .releasing)
  }

  // MARK: - What has happened

  /// Samples of the timeline so far.
  public var sample: Int64 { words.pointee.sample.load(ordering: .relaxed) }

  /// How many lanes have been played to their end.
  public var endings: Int64 { words.pointee.endings.load(ordering: .acquiring) }

  /// How often samples were not there in time, and how many.
  public var underruns: (count: Int64, samples: Int64) {
    (words.pointee.underruns.load(ordering: .relaxed), words.pointee.missing.load(ordering: .relaxed))
  }

  /// Takes the place of the host's transport that the callback could not find in its lane; nil where all is well.
  public func takeLost() -> Int64? {
    let place = words.pointee.lost.exchange(.min, ordering: .acquiringAndReleasing)
    return place == .min ? nil : place
  }
}
