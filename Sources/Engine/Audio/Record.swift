/// The fields of a record besides its values.
public struct RecordHeader: BitwiseCopyable, Sendable {
  /// The last frame that the record covers, counted from 1.
  public var frame: Int64 = 0
  /// Where that frame ended, in samples of the timeline.
  public var endSample: Int64 = 0
  /// When the callback finished that frame, in nanoseconds of the monotonic clock.
  public var time: UInt64 = 0
  /// How many samples the record covers, in all merged frames.
  public var samples: UInt64 = 0
  /// How many frames the record covers; more than 1 only where the queue was full.
  public var frames: UInt32 = 0
  /// The number of the last command that has taken effect; 0 where commands are not numbered.
  public var commands: Int64 = 0

  /// An empty record.
  public init() {}
}

/// One record in memory: header, sums, peaks, sources. The plan decides how many of each. [audio] writes, [frame]
/// reads.
public struct Record: BitwiseCopyable, @unchecked Sendable {
  /// The header.
  public let header: UnsafeMutablePointer<RecordHeader>
  /// One sum per value, added up where frames merge: squares of samples of a meter, counts of events of a player.
  public let sums: UnsafeMutablePointer<Double>
  /// One largest magnitude per value.
  public let peaks: UnsafeMutablePointer<Float>
  /// 1 for each source that was not silent.
  public let sources: UnsafeMutablePointer<UInt8>

  /// Bytes of one record, rounded up to whole cache lines.
  public static func size(values: Int, sources: Int) -> Int {
    (MemoryLayout<RecordHeader>.stride + values * 12 + sources + 63) & ~63
  }

  /// A view of a record in `size` bytes of memory.
  @inlinable @_noLocks
  public init(_ memory: UnsafeMutableRawPointer, values: Int) {
    header = memory.assumingMemoryBound(to: RecordHeader.self)
    let payload = memory + MemoryLayout<RecordHeader>.stride
    sums = payload.assumingMemoryBound(to: Double.self)
    peaks = (payload + 8 &* values).assumingMemoryBound(to: Float.self)
    sources = (payload + 12 &* values).assumingMemoryBound(to: UInt8.self)
  }

  /// Merges a later frame into the record: peaks by maximum, sums added, sources by OR. [audio]
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
