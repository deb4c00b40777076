import Synchronization

/// The end of a `SampleRing` that a producer fills. [one]
///
/// The struct holds plain pointers, which are valid while its ring lives. The producer writes samples into the free
/// space by `pointer(at:)`, and publishes them by `commit`.
public struct SampleRingWriter: @unchecked Sendable {
  private let shared: UnsafeMutablePointer<SampleRingShared>
  private let samples: UnsafeMutablePointer<Float>
  /// Number of channels, at least 1.
  public let channels: Int
  /// Samples per channel of the ring, a power of two.
  public let capacity: Int
  /// Floats from a sample of one channel to the same sample of the next.
  public let stride: Int

  init(
    shared: UnsafeMutablePointer<SampleRingShared>, samples: UnsafeMutablePointer<Float>, channels: Int,
    capacity: Int, stride: Int
  ) {
    self.shared = shared
    self.samples = samples
    self.channels = channels
    self.capacity = capacity
    self.stride = stride
  }

  /// Samples per channel committed so far.
  public var position: Int64 { shared.pointee.written.load(ordering: .relaxed) }

  /// Samples per channel that the other end has read so far.
  public var consumed: Int64 { shared.pointee.consumed.load(ordering: .acquiring) }

  /// Samples per channel that may be written beyond `position`, 0…`capacity`.
  public var free: Int { capacity - Int(position - consumed) }

  /// Samples per channel that are committed and not read yet, 0…`capacity`.
  public var filled: Int { Int(position - consumed) }

  /// Number of underruns, and the samples missing in all of them. [any]
  public var underruns: (count: Int64, samples: Int64) {
    (
      shared.pointee.underruns.load(ordering: .relaxed), shared.pointee.missing.load(ordering: .relaxed)
    )
  }

  /// The memory of a sample of the first channel; those of the other channels follow at multiples of `stride`.
  ///
  /// - Parameter position: a position in the stream, `self.position` ..< `self.position + free`.
  public func pointer(at position: Int64) -> UnsafeMutablePointer<Float> {
    samples + (Int(truncatingIfNeeded: position) & (capacity - 1))
  }

  /// Samples per channel that are contiguous in memory from a position on, 1…`capacity`.
  public func contiguous(from position: Int64) -> Int {
    capacity - (Int(truncatingIfNeeded: position) & (capacity - 1))
  }

  /// Publishes samples that have been written.
  ///
  /// - Parameter position: the new `position`, never less than before, at most the old one plus `free`.
  public func commit(to position: Int64) { shared.pointee.written.store(position, ordering: .releasing) }

  /// Sets the exact length of the stream; to be called before the last samples are committed.
  ///
  /// - Parameter position: samples per channel.
  public func end(at position: Int64) { shared.pointee.end.store(position, ordering: .releasing) }

  /// The exact length of the stream in samples; nil while it is unknown.
  public var end: Int64? {
    let end = shared.pointee.end.load(ordering: .acquiring)
    return end == .max ? nil : end
  }
}
