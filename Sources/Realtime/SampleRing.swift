import Synchronization

/// A lock-free ring buffer of planar float32 samples between one thread that writes and one that reads (SPSC).
///
/// [control] makes it, [any] frees it. It owns the memory of channels × capacity samples. `reader` and `writer` are
/// plain pointers into it, so their users have to keep the ring alive. Both ends share only atomics
/// (`SampleRingShared`), so neither ever waits for the other.
public final class SampleRing: @unchecked Sendable {
  /// Number of channels, at least 1.
  public let channels: Int
  /// Samples per channel, a power of two.
  public let capacity: Int
  /// The reading end, for the audio callback; valid while the ring lives.
  public let reader: SampleRingReader
  /// The writing end; valid while the ring lives.
  public let writer: SampleRingWriter

  private let shared: UnsafeMutablePointer<SampleRingShared>
  private let samples: UnsafeMutableRawPointer

  /// Allocates a ring of silence.
  ///
  /// - Parameters:
  ///   - channels: number of channels; less than 1 counts as 1.
  ///   - minimumCapacity: samples per channel, rounded up to a power of two, at least 64.
  public init(channels: Int, minimumCapacity: Int) {
    let channels = max(1, channels)
    var capacity = 64
    while capacity < minimumCapacity { capacity *= 2 }
    // One cache line more than a power of two, so that channels do not map to the same cache sets.
    let stride = capacity + 16
    let samples = UnsafeMutableRawPointer.allocate(
      byteCount: channels * stride * MemoryLayout<Float>.stride, alignment: 64)
    let first = samples.initializeMemory(as: Float.self, repeating: 0, count: channels * stride)
    let shared = UnsafeMutablePointer<SampleRingShared>.allocate(capacity: 1)
    shared.initialize(to: SampleRingShared())
    self.channels = channels
    self.capacity = capacity
    self.samples = samples
    self.shared = shared
    reader = SampleRingReader(
      shared: shared, samples: first, channels: channels, capacity: capacity, stride: stride)
    writer = SampleRingWriter(
      shared: shared, samples: first, channels: channels, capacity: capacity, stride: stride)
  }

  /// Clears the ring: positions begin at 0 again, counts of underruns stay. No thread may read or write meanwhile.
  public func clear() {
    shared.pointee.written.store(0, ordering: .relaxed)
    shared.pointee.end.store(.max, ordering: .relaxed)
    shared.pointee.consumed.store(0, ordering: .releasing)
  }

  deinit {
    shared.deinitialize(count: 1)
    shared.deallocate()
    samples.deallocate()
  }
}
