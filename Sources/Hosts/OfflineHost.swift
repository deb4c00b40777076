import CRealtime
public import Engine
import Graphs
import Realtime

/// Runs the cycles on the caller's thread as fast as they go, without real time: nothing is lost. [control]
public struct OfflineHost: ~Copyable {
  /// Receives samples of the output ports: one pointer to `count` samples for each port, in the order of `ports`. The
  /// pointers are valid during the call.
  public typealias Listener = (_ channels: UnsafeBufferPointer<UnsafePointer<Float>>, _ count: Int) -> Void

  private let engine: UnsafeMutablePointer<AudioEngine>
  private let frames: FrameThread
  /// Samples of a cycle.
  private let cycle: UInt32
  /// The buffer of each port, by port number; nil: the port has none.
  private let ports: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  /// The buffers of the output ports, one after another, each `cycle` samples long.
  private let buffers: UnsafeMutableBufferPointer<Float>
  /// The first sample of each output port in the current call of the listener.
  private let heard: UnsafeMutableBufferPointer<UnsafePointer<Float>>
  private let listener: Listener?

  /// Makes a host that runs `cycle` samples at a time; the result does not depend on it.
  ///
  /// `listener` receives each sample of the output ports in `ports` once, in order. It receives all samples of a
  /// frame before that frame's nodes run. Without a listener the outputs are not written.
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

  /// Runs until the timeline has `end` samples. `end` is asked before every cycle; nil: not known yet. No sample is
  /// run beyond it, so the last frame does not depend on the cycle. `isCancelled` ends the run early.
  ///
  /// The frame nodes run right after their frame. So levels into audio act two frames later, whatever the cycle.
  ///
  /// `begins` is called before each frame with its position in samples; a change that it makes acts in that frame.
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
      // Every host clears outputs before a cycle: a port that nothing writes to is silent.
      if heard.count > 0 { buffers.update(repeating: 0) }
      var done: UInt32 = 0
      while done < count {
        let finished = engine.pointee.finished
        // Denormals are flushed in `advance` alone, as in a callback: streams and frame nodes run without it on their
        // own threads, too.
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
