import CRealtime
public import Graphs
public import Realtime

/// Turns the crank as fast as it goes, on the caller's thread: no real time, no threads, nothing lost. [control]
public struct OfflineHost: ~Copyable {
  private let engine: UnsafeMutablePointer<Engine>
  private let frames: FrameThread
  private let cycle: UInt32
  private let ports: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>

  /// Makes a host that turns `cycle` samples at a time; the result does not depend on it.
  public init(engine: UnsafeMutablePointer<Engine>, frames: FrameThread, cycle: Int) {
    self.engine = engine
    self.frames = frames
    self.cycle = UInt32(max(1, min(8192, cycle)))
    ports = .allocate(capacity: Crank.capacity)
    ports.initialize(repeating: nil, count: Crank.capacity)
  }

  deinit { ports.deallocate() }

  /// Runs until the timeline has `end` samples, asked before every cycle; nil: not known yet. Nothing is run beyond it,
  /// so that the last frame does not depend on the cycle. `isCancelled` ends it early.
  ///
  /// The frame nodes run right after their frame, so that levels into audio are there for the frame after the next,
  /// however long a cycle is.
  public func run(_ supplies: [any Supply], to end: () -> Int64?, isCancelled: () -> Bool = { false }) {
    while !isCancelled() {
      for supply in supplies { supply.supply(Int(cycle)) }
      var count = cycle
      if let end = end() {
        let left = end - engine.pointee.sample
        if left <= 0 { return }
        count = UInt32(min(Int64(cycle), left))
      }
      var done: UInt32 = 0
      while done < count {
        let finished = engine.pointee.finished
        // As in a callback; disk and frame nodes run without, as on the threads that they have elsewhere.
        let denormals = vg_flush_denormals()
        done += engine.pointee.advance(ports: ports, offset: done, count: count - done, time: 0)
        vg_restore_denormals(denormals)
        if engine.pointee.finished != finished { frames.drain() }
      }
    }
  }
}
