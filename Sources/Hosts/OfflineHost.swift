import CRealtime
public import Engine
import Graphs
import Realtime

/// Runs the cycles as fast as it goes, on the caller's thread: no real time, no threads, nothing lost. [control]
public struct OfflineHost: ~Copyable {
  /// Takes samples of the ports that lead out, one pointer for each in the order they were given, and how many there are.
  /// The pointers are good for the call.
  public typealias Listener = (_ channels: UnsafeBufferPointer<UnsafePointer<Float>>, _ count: Int) -> Void

  private let engine: UnsafeMutablePointer<AudioEngine>
  private let frames: FrameThread
  private let cycle: UInt32
  private let ports: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  /// One after another, the buffers of the ports that are listened to, each a cycle long.
  private let buffers: UnsafeMutableBufferPointer<Float>
  /// Where in them the samples of a call begin.
  private let heard: UnsafeMutableBufferPointer<UnsafePointer<Float>>
  private let listener: Listener?

  /// Makes a host that runs `cycle` samples at a time; the result does not depend on it.
  ///
  /// `listener` hears those of `ports` that lead out: every sample once, in order, and those of a frame before anybody
  /// sees that frame. Without one nothing is written to them.
  public init(
    engine: UnsafeMutablePointer<AudioEngine>, frames: FrameThread, cycle: Int, ports: [HostPort] = [],
    listener: Listener? = nil
  ) {
    self.engine = engine
    self.frames = frames
    self.cycle = UInt32(max(1, min(8192, cycle)))
    self.listener = listener
    self.ports = .allocate(capacity: CycleRunner.capacity)
    self.ports.initialize(repeating: nil, count: CycleRunner.capacity)
    let outputs = listener == nil ? [] : ports.filter { $0.direction == .output }
    let length = Int(self.cycle)
    buffers = .allocate(capacity: max(1, outputs.count * length))
    buffers.initialize(repeating: 0)
    heard = .allocate(capacity: outputs.count)
    for (index, port) in outputs.enumerated() {
      let buffer = buffers.baseAddress! + index * length
      self.ports[port.number] = buffer
      heard.initializeElement(at: index, to: UnsafePointer(buffer))
    }
  }

  deinit {
    ports.deallocate()
    buffers.deallocate()
    heard.deallocate()
  }

  /// Runs until the timeline has `end` samples, asked before every cycle; nil: not known yet. Nothing is run beyond it,
  /// so that the last frame does not depend on the cycle. `isCancelled` ends it early.
  ///
  /// The frame nodes run right after their frame, so that levels into audio are there for the frame after the next,
  /// however long a cycle is.
  ///
  /// `begins` is called before a frame begins, with its place in samples: what it does acts in that frame.
  public func run(
    _ streams: [any StreamedSource], to end: () -> Int64?, isCancelled: () -> Bool = { false },
    begins: ((Int64) -> Void)? = nil
  ) {
    begins?(engine.pointee.sample)
    while !isCancelled() {
      for stream in streams { stream.fill(Int(cycle)) }
      var count = cycle
      if let end = end() {
        let left = end - engine.pointee.sample
        if left <= 0 { return }
        count = UInt32(min(Int64(cycle), left))
      }
      // As every host does before a cycle: a port that nothing is written to is silent.
      if heard.count > 0 { buffers.update(repeating: 0) }
      var done: UInt32 = 0
      while done < count {
        let finished = engine.pointee.finished
        // As in a callback; disk and frame nodes run without, as on the threads that they have elsewhere.
        let denormals = vg_flush_denormals()
        let length = engine.pointee.advance(ports: ports, offset: done, count: count - done, time: 0)
        vg_restore_denormals(denormals)
        report(from: Int(done), Int(length))
        done += length
        if engine.pointee.finished != finished {
          frames.drain()
          begins?(engine.pointee.sample)
        }
      }
    }
  }

  private func report(from offset: Int, _ count: Int) {
    guard let listener else { return }
    for index in heard.indices {
      heard[index] = UnsafePointer(buffers.baseAddress! + index * Int(cycle) + offset)
    }
    listener(UnsafeBufferPointer(heard), count)
  }
}
