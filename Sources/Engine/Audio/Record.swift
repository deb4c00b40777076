/// What every record says besides the values of the meters.
public struct RecordHeader: BitwiseCopyable, Sendable {
  /// The last frame in it, counted from 1.
  public var frame: Int64 = 0
  /// Where that frame ended, in samples of the timeline.
  public var endSample: Int64 = 0
  /// When the callback finished it, in nanoseconds of the monotonic clock.
  public var time: UInt64 = 0
  /// How many samples it covers: of one frame, or of all that were merged.
  public var samples: UInt64 = 0
  /// How many frames it covers; more than 1 only when the queue was full.
  public var frames: UInt32 = 0
  /// The number of the last command that acts in it, where commands are numbered.
  public var commands: Int64 = 0

  /// An empty record.
  public init() {}
}

/// One record: header, sums, peaks, sources. The shape is the plan's. [audio] writes, [frame] reads.
public struct Record: BitwiseCopyable, @unchecked Sendable {
  /// The header.
  public let header: UnsafeMutablePointer<RecordHeader>
  /// What adds up where frames are merged, one per value: squares of samples of a meter, counts of events of a player.
  public let sums: UnsafeMutablePointer<Double>
  /// A largest magnitude per value.
  public let peaks: UnsafeMutablePointer<Float>
  /// 1 for each source that sounded.
  public let sources: UnsafeMutablePointer<UInt8>

  /// Bytes of one record for a plan, a whole number of cache lines.
  public static func size(values: Int, sources: Int) -> Int {
    (MemoryLayout<RecordHeader>.stride + values * 12 + sources + 63) & ~63
  }

  /// Lays a record over memory of `size` bytes.
  @inlinable @_noLocks
  public init(_ memory: UnsafeMutableRawPointer, values: Int) {
    header = memory.assumingMemoryBound(to: RecordHeader.self)
    let first = memory + MemoryLayout<RecordHeader>.stride
    sums = first.assumingMemoryBound(to: Double.self)
    peaks = (first + 8 &* values).assumingMemoryBound(to: Float.self)
    sources = (first + 12 &* values).assumingMemoryBound(to: UInt8.self)
  }

  /// Adds a later frame: peaks by maximum, sums added, a source that sounded once has sounded. [audio]
  @inlinable @_noLocks
  public func merge(_ later: Record, values: Int, sources count: Int) {
    header.pointee.frame = later.header.pointee.frame
    header.pointee.endSample = later.header.pointee.endSample
    header.pointee.time = later.header.pointee.time
    header.pointee.samples &+= later.header.pointee.samples
    header.pointee.frames &+= later.header.pointee.frames
    header.pointee.commands = later.header.pointee.commands
    var i = 0
    while i < values {
      sums[i] += later.sums[i]
      if later.peaks[i] > peaks[i] { peaks[i] = later.peaks[i] }
      i &+= 1
    }
    i = 0
    while i < count {
      sources[i] |= later.sources[i]
      i &+= 1
    }
  }
}
