import Synchronization

/// A lock-free ring of planar float32 samples from the audio callback to the frame thread, for analysis of past
/// samples. It has one writer and one reader, and each sample has a place on the timeline.
///
/// [control] makes it, [any] frees it. `writer` and `reader` are plain pointers into it, so their users have to keep
/// the tap alive. The writer never waits. If the reader falls behind by more than the capacity, `begin` refuses samples
/// until the reader has caught up; the caller counts them.
public final class SampleTap: @unchecked Sendable {
  /// The writing end, for the audio callback.
  public let writer: SampleTapWriter
  /// The reading end, for the frame thread.
  public let reader: SampleTapReader

  private let shared: UnsafeMutablePointer<SampleTapShared>
  private let samples: UnsafeMutablePointer<Float>

  /// Allocates a tap.
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
    samples = .allocate(capacity: channels * stride)
    samples.initialize(repeating: 0, count: channels * stride)
    shared = .allocate(capacity: 1)
    shared.initialize(to: SampleTapShared())
    writer = SampleTapWriter(shared: shared, samples: samples, capacity: capacity, stride: stride)
    reader = SampleTapReader(shared: shared, samples: samples, capacity: capacity, stride: stride)
  }

  deinit {
    shared.deinitialize(count: 1)
    shared.deallocate()
    samples.deallocate()
  }
}

/// The state that both ends of a `SampleTap` share, each word written by one thread only.
@usableFromInline
struct SampleTapShared: ~Copyable {
  @usableFromInline typealias Gap = (Int64, Int64, Int64, Int64, Int64, Int64, Int64, Int64)

  /// Samples written so far; written by the writer.
  @usableFromInline let written = Atomic<Int64>(0)
  /// The place on the timeline of the sample that was written first, as if there had been no gap since. The writer
  /// changes it after a gap, and only while no samples wait to be read.
  @usableFromInline let base = Atomic<Int64>(0)
  private let gap: Gap = (0, 0, 0, 0, 0, 0, 0, 0)
  /// Samples that the reader has released; written by the reader.
  @usableFromInline let released = Atomic<Int64>(0)

  @usableFromInline init() {}
}

/// The end of a `SampleTap` that the audio callback writes. [audio]
///
/// The struct holds plain pointers. For each segment, a block calls `begin`; if that returns true, `write` for every
/// channel; then `commit`.
@frozen
public struct SampleTapWriter: BitwiseCopyable, @unchecked Sendable {
  @usableFromInline let shared: UnsafeMutablePointer<SampleTapShared>
  @usableFromInline let samples: UnsafeMutablePointer<Float>
  @usableFromInline let capacity: Int
  @usableFromInline let stride: Int

  /// Whether `count` samples from `place` of the timeline on can be written. False if there is no space, or if the
  /// reader has not released all samples from before a gap.
  @_noLocks
  public func begin(at place: Int64, _ count: Int) -> Bool {
    let written = shared.pointee.written.load(ordering: .relaxed)
    let waiting = written &- shared.pointee.released.load(ordering: .acquiring)
    guard waiting &+ Int64(count) <= Int64(capacity) else { return false }
    if place != shared.pointee.base.load(ordering: .relaxed) &+ written {
      guard waiting == 0 else { return false }
      shared.pointee.base.store(place &- written, ordering: .relaxed)
    }
    return true
  }

  /// Copies samples of one channel after the committed ones.
  @_noLocks
  public func write(channel: Int, _ source: UnsafePointer<Float>, count: Int) {
    let start = Int(truncatingIfNeeded: shared.pointee.written.load(ordering: .relaxed)) & (capacity &- 1)
    let first = min(count, capacity &- start)
    let destination = samples + channel &* stride
    UnsafeMutableRawPointer(destination + start).copyMemory(
      from: source, byteCount: first &* MemoryLayout<Float>.stride)
    guard count > first else { return }
    UnsafeMutableRawPointer(destination).copyMemory(
      from: source + first, byteCount: (count &- first) &* MemoryLayout<Float>.stride)
  }

  /// Publishes the samples that have been written.
  @_noLocks
  public func commit(_ count: Int) {
    let written = shared.pointee.written.load(ordering: .relaxed)
    shared.pointee.written.store(written &+ Int64(count), ordering: .releasing)
  }
}

/// The end of a `SampleTap` that the frame thread reads, by places of the timeline. [frame]
public struct SampleTapReader: @unchecked Sendable {
  private let shared: UnsafeMutablePointer<SampleTapShared>
  private let samples: UnsafeMutablePointer<Float>
  private let capacity: Int
  private let stride: Int

  init(
    shared: UnsafeMutablePointer<SampleTapShared>, samples: UnsafeMutablePointer<Float>, capacity: Int,
    stride: Int
  ) {
    self.shared = shared
    self.samples = samples
    self.capacity = capacity
    self.stride = stride
  }

  /// The places on the timeline of the samples that can be read now.
  public var places: Range<Int64> {
    let written = shared.pointee.written.load(ordering: .acquiring)
    let released = shared.pointee.released.load(ordering: .relaxed)
    // The writer does not change the base while samples wait.
    let base = shared.pointee.base.load(ordering: .relaxed)
    return written > released ? base + released..<base + written : base + written..<base + written
  }

  /// Copies `count` samples of a channel from `place` on. Silence takes the place of samples that are not there.
  public func read(channel: Int, at place: Int64, into destination: UnsafeMutablePointer<Float>, count: Int) {
    let places = self.places
    let base = shared.pointee.base.load(ordering: .relaxed)
    let first = max(place, places.lowerBound)
    let last = min(place + Int64(count), places.upperBound)
    guard first < last else {
      destination.update(repeating: 0, count: count)
      return
    }
    let head = Int(first - place)
    if head > 0 { destination.update(repeating: 0, count: head) }
    var done = head
    let end = Int(last - place)
    while done < end {
      let start = Int(truncatingIfNeeded: place + Int64(done) - base) & (capacity - 1)
      let length = min(end - done, capacity - start)
      (destination + done).update(from: samples + channel * stride + start, count: length)
      done += length
    }
    if done < count { (destination + done).update(repeating: 0, count: count - done) }
  }

  /// Returns the space of all samples before `place` to the writer.
  public func release(before place: Int64) {
    let places = self.places
    let more = min(max(place, places.lowerBound), places.upperBound) - places.lowerBound
    guard more > 0 else { return }
    let released = shared.pointee.released.load(ordering: .relaxed)
    shared.pointee.released.store(released + more, ordering: .releasing)
  }
}
