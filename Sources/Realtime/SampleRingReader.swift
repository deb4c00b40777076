import Synchronization

/// The end of a `SampleRing` that the audio callback reads.
///
/// [audio] The struct holds plain pointers. It may be copied, but only one thread may use it at a time, and none after
/// its ring is freed. It neither allocates nor locks nor waits. A callback reads a cycle of `count` samples so:
///
///     let there = reader.request(count)
///     for channel in 0..<reader.channels {
///       reader.read(channel: channel, into: output[channel], count: there)   // the caller fills the rest with silence
///     }
///     reader.consume(there)
@frozen
public struct SampleRingReader: BitwiseCopyable, @unchecked Sendable {
  @usableFromInline let shared: UnsafeMutablePointer<SampleRingShared>
  @usableFromInline let samples: UnsafeMutablePointer<Float>
  /// Number of channels, at least 1.
  public let channels: Int
  /// Samples per channel of the ring, a power of two.
  public let capacity: Int
  @usableFromInline let stride: Int

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

  /// The place of the next sample in the stream, in samples from 0.
  public var position: Int64 {
    @_noLocks get { shared.pointee.consumed.load(ordering: .relaxed) }
  }

  /// Samples per channel that can be read now, 0 … `capacity`.
  public var available: Int {
    @_noLocks get { Int(shared.pointee.written.load(ordering: .acquiring) - position) }
  }

  /// The exact length of the stream in samples; nil while it is unknown.
  ///
  /// The writer sets it before it commits the last samples.
  public var end: Int64? {
    @_noLocks get {
      let end = shared.pointee.end.load(ordering: .acquiring)
      return end == .max ? nil : end
    }
  }

  /// Whether every sample of the stream has been read.
  public var isEnded: Bool {
    @_noLocks get { position >= shared.pointee.end.load(ordering: .acquiring) }
  }

  /// Returns how many of `count` samples can be read now. If these are too few, and the stream has not ended, the call
  /// counts as one underrun.
  ///
  /// - Parameter count: samples per channel, at least 0.
  /// - Returns: 0…`count`, the number to `read` and then to `consume`.
  @_noLocks
  public func request(_ count: Int) -> Int {
    // The writer publishes the end before the last samples: too few samples before the end are an underrun.
    let written = shared.pointee.written.load(ordering: .acquiring)
    let there = Int(written - position)
    if there >= count { return max(0, count) }
    if written < shared.pointee.end.load(ordering: .acquiring) {
      let underruns = shared.pointee.underruns.load(ordering: .relaxed)
      shared.pointee.underruns.store(underruns + 1, ordering: .relaxed)
      let missing = shared.pointee.missing.load(ordering: .relaxed)
      shared.pointee.missing.store(missing + Int64(count - there), ordering: .relaxed)
    }
    return there
  }

  /// Copies samples of one channel, from `position` on, without consuming them.
  ///
  /// - Parameters:
  ///   - channel: 0 ..< `channels`.
  ///   - destination: memory for `count` samples.
  ///   - count: at most what `request` or `available` has returned.
  @_noLocks
  public func read(channel: Int, into destination: UnsafeMutablePointer<Float>, count: Int) {
    let start = Int(truncatingIfNeeded: position) & (capacity - 1)
    let source = samples + channel * stride
    let first = min(count, capacity - start)
    let second = min(count - first, start)
    guard first > 0 else { return }
    UnsafeMutableRawPointer(destination).copyMemory(
      from: source + start, byteCount: first * MemoryLayout<Float>.stride)
    guard second > 0 else { return }
    UnsafeMutableRawPointer(destination + first).copyMemory(
      from: source, byteCount: second * MemoryLayout<Float>.stride)
  }

  /// Returns the space of samples that have been read to the writer.
  ///
  /// - Parameter count: samples per channel, at most what `request` or `available` has returned.
  @_noLocks
  public func consume(_ count: Int) {
    shared.pointee.consumed.store(position + Int64(count), ordering: .releasing)
  }
}

/// Calls all members that the callback may call. It does not compile if one of them could allocate or lock, and it is
/// never run. [audio]
@_noLocks
func sampleRingAudit(_ reader: SampleRingReader, _ destination: UnsafeMutablePointer<Float>) -> Bool {
  let there = min(reader.request(64), reader.available)
  reader.read(channel: 0, into: destination, count: there)
  reader.consume(there)
  return reader.isEnded && reader.end == reader.position
}
