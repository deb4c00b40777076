import Synchronization

/// The state that both ends of a `SampleRing` share: five atomics, each written by one thread only.
///
/// Positions count samples of one channel from the beginning of the stream. They never wrap: Int64 lasts three million
/// years at 96 kHz. The words that each end writes are in separate cache lines, so that writes of one end do not slow
/// down the other (false sharing).
@usableFromInline
struct SampleRingShared: ~Copyable {
  /// Padding of one cache line.
  @usableFromInline typealias Gap = (Int64, Int64, Int64, Int64, Int64, Int64, Int64, Int64)

  /// Samples written so far; written by the producer.
  @usableFromInline let written = Atomic<Int64>(0)
  /// The length of the stream, `Int64.max` while unknown; written by the producer.
  @usableFromInline let end = Atomic<Int64>(.max)
  private let gap: Gap = (0, 0, 0, 0, 0, 0, 0, 0)
  /// Samples read so far; written by the audio callback.
  @usableFromInline let consumed = Atomic<Int64>(0)
  /// Number of underruns; written by the audio callback.
  @usableFromInline let underruns = Atomic<Int64>(0)
  /// Samples missing in all underruns; written by the audio callback.
  @usableFromInline let missing = Atomic<Int64>(0)

  @usableFromInline init() {}
}
