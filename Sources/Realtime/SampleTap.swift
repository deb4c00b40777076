import Synchronization

/// Samples on their way from the audio callback to the frame thread, which looks back over them: a lock-free ring of
/// planar float32 between one writer and one reader, in which every sample has its place on the timeline.
///
/// [control] makes it, [any] frees it. `writer` and `reader` are plain pointers into it: the owner of one keeps the tap
/// alive by other means. A reader that falls behind by more than there is room for loses what follows, which the writer
/// counts, and begins anew when it has caught up; the writer never waits.
public final class SampleTap: @unchecked Sendable {
  /// The end of the audio callback.
  public let writer: SampleTapWriter
  /// The end of the frame thread.
  public let reader: SampleTapReader

  private let shared: UnsafeMutablePointer<SampleTapShared>
  private let samples: UnsafeMutablePointer<Float>

  /// Allocates a tap.
  ///
  /// - Parameters:
  ///   - channels: at least 1 (less counts as 1).
  ///   - minimumCapacity: samples per channel, rounded up to a power of two, at least 64.
  public init(channels: Int, minimumCapacity: Int) {
    let channels = max(1, channels)
    var capacity = 64
    while capacity < minimumCapacity { capacity *= 2 }
    // One cache line more than a power of two, or the channels would fight for the same lines of the cache.
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

/// What both ends of a `SampleTap` look at, each word written by one thread only.
@usableFromInline
struct SampleTapShared: ~Copyable {
  @usableFromInline typealias Gap = (Int64, Int64, Int64, Int64, Int64, Int64, Int64, Int64)

  /// Samples written so far; the writer's.
  @usableFromInline let written = Atomic<Int64>(0)
  /// The place on the timeline of the sample that was, or would have been, written first; the writer's, who changes it
  /// only while nothing waits to be read.
  @usableFromInline let base = Atomic<Int64>(0)
  private let gap: Gap = (0, 0, 0, 0, 0, 0, 0, 0)
  /// Samples that the reader needs no more; the reader's.
  @usableFromInline let released = Atomic<Int64>(0)

  @usableFromInline init() {}
}

/// The end of a `SampleTap` that the audio callback writes. [audio]
///
/// A plain pointer struct. One segment: `if writer.begin(at: place, count)`, then `write` for every channel, then
/// `commit(count)`.
@frozen
public struct SampleTapWriter: BitwiseCopyable, @unchecked Sendable {
  @usableFromInline let shared: UnsafeMutablePointer<SampleTapShared>
  @usableFromInline let samples: UnsafeMutablePointer<Float>
  @usableFromInline let capacity: Int
  @usableFromInline let stride: Int

  /// Whether `count` samples that stand at `place` of the timeline can be written; false where the reader has not made
  /// room, or has not read what stood before a gap.
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

  /// Copies samples of one channel behind those that are committed.
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

  /// Lets the reader see what has been written.
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

  /// The places that can be read now; empty where there is nothing.
  public var places: Range<Int64> {
    let written = shared.pointee.written.load(ordering: .acquiring)
    let released = shared.pointee.released.load(ordering: .relaxed)
    // What waits keeps the writer from moving the base.
    let base = shared.pointee.base.load(ordering: .relaxed)
    return written > released ? base + released..<base + written : base + written..<base + written
  }

  /// Copies the samples of a channel from `place` on; silence where there are none.
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

  /// Gives the room of all samples before `place` back to the writer.
  public func release(before place: Int64) {
    let places = self.places
    let more = min(max(place, places.lowerBound), places.upperBound) - places.lowerBound
    guard more > 0 else { return }
    let released = shared.pointee.released.load(ordering: .relaxed)
    shared.pointee.released.store(released + more, ordering: .releasing)
  }
}
