import CGuard
import CRealtime
public import Playback
public import Realtime

/// A crossfade reader that a test calls segment by segment; the segments may have any length up to the longest.
public final class SteppedReader {
  /// The reader.
  public let reader: UnsafeMutablePointer<CrossfadeReader>
  /// The samples of the last segment, channel by channel.
  public let buffers: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// Samples of the timeline so far.
  public private(set) var sample: Int64 = 0
  /// Whether the reader has done nothing that an audio callback must not do.
  public private(set) var isClean = true
  private let channels: Int
  private let counters = UnsafeMutablePointer<EngineCounters>.allocate(capacity: 1)
  private let outputs: UnsafeMutablePointer<UInt32>
  private let io: UnsafeMutablePointer<vg_io>
  private let ports = UnsafeMutablePointer<UnsafeMutablePointer<Float>?>.allocate(capacity: 1)

  /// Takes the reading end of a crossfade buffer, which must outlive this object.
  public init(_ buffer: CrossfadeBuffer, follows transport: UnsafeMutablePointer<HostTransportShared>? = nil)
  {
    channels = buffer.channels
    reader = .allocate(capacity: 1)
    reader.initialize(to: CrossfadeReader(buffer, follows: transport))
    counters.initialize(to: EngineCounters())
    buffers = .allocate(capacity: channels)
    outputs = .allocate(capacity: channels)
    for channel in 0..<channels {
      let buffer = UnsafeMutablePointer<Float>.allocate(capacity: Cycle.longestSegment)
      buffer.initialize(repeating: .nan, count: Cycle.longestSegment)
      (buffers + channel).initialize(to: buffer)
      (outputs + channel).initialize(to: UInt32(channel))
    }
    ports.initialize(to: nil)
    io = .allocate(capacity: 1)
    io.initialize(
      to: vg_io(
        inputs: outputs, outputs: outputs, inputCount: 0, outputCount: UInt32(channels), firstValue: 0,
        firstSource: 0))
  }

  deinit {
    for channel in 0..<channels { buffers[channel].deallocate() }
    reader.deinitialize(count: 1)
    reader.deallocate()
    counters.deinitialize(count: 1)
    counters.deallocate()
    buffers.deallocate()
    outputs.deallocate()
    io.deallocate()
    ports.deallocate()
  }

  /// Renders a segment.
  public func render(_ count: Int) {
    var segment = vg_cycle(
      buffers: buffers, ownBuffers: buffers, ports: ports, counters: UnsafeMutableRawPointer(counters),
      offset: 0,
      count: UInt32(count), position: 0, length: 8192, sample: sample, frame: 1)
    withUnsafePointer(to: &segment) { segment in
      guard_enter()
      reader.pointee.render(io, Cycle(segment))
      let counts = guard_leave()
      if !counts.isClean { isClean = false }
    }
    sample += Int64(count)
  }
}
