import Synchronization

/// What both ends of a `SampleRing` look at: four counters and a mark, each written by one thread only.
///
/// Positions count samples of one channel from the beginning of the stream and never wrap (Int64 lasts three
/// million years at 96 kHz). Each end's own words lie in a cache line of their own, so that neither end slows
/// the other down by writing.
@usableFromInline
struct SampleRingShared: ~Copyable {
  /// A cache line's worth of nothing.
  @usableFromInline typealias Gap = (Int64, Int64, Int64, Int64, Int64, Int64, Int64, Int64)

  /// Samples written so far; the producer's.
  @usableFromInline let written = Atomic<Int64>(0)
  /// Where the stream ends, `Int64.max` while unknown; the producer's.
  @usableFromInline let end = Atomic<Int64>(.max)
  private let gap: Gap = (0, 0, 0, 0, 0, 0, 0, 0)
  /// Samples read so far; the audio callback's.
  @usableFromInline let consumed = Atomic<Int64>(0)
  /// How often samples were wanted that were not there; the audio callback's.
  @usableFromInline let underruns = Atomic<Int64>(0)
  /// How many samples were missing in all underruns; the audio callback's.
  @usableFromInline let missing = Atomic<Int64>(0)

  @usableFromInline init() {}
}
