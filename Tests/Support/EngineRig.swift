public import CGuard
import CRealtime
public import Engine
import Realtime

/// An engine with its exchange, queue and buffers, advanced by hand. Subclasses choose what runs in it, graphs or plans
/// made by hand, and take its frames.
open class EngineRig: @unchecked Sendable {
  /// The engine and the objects that it shares with other threads.
  public let memory = EngineMemory()
  /// The host's buffers, by port number.
  public let ports: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>

  /// An engine without a plan and without buffers.
  public init() {
    ports = .allocate(capacity: PortNumbers.capacity)
    ports.initialize(repeating: nil, count: PortNumbers.capacity)
  }

  deinit { ports.deallocate() }

  /// The exchange by which plans are offered.
  public var exchange: UnsafeMutablePointer<PlanExchange> { memory.exchange }
  /// The counters of the engine.
  public var counters: UnsafeMutablePointer<EngineCounters> { memory.counters }
  /// The engine.
  public var engine: UnsafeMutablePointer<AudioEngine> { memory.engine }

  /// Samples of the timeline so far.
  public var sample: Int { Int(engine.pointee.sample) }
  /// The number of finished frames.
  public var finished: Int64 { engine.pointee.finished }
  /// Whether a plan runs.
  public var isRunning: Bool { engine.pointee.isRunning }
  /// Samples processed, by all plans.
  public var samples: UInt64 { counters.pointee.samples.now() }
  /// Frames that were merged because their queue was full.
  public var mergedFrames: UInt64 { counters.pointee.mergedFrames.now() }
  /// Samples that were infinite or not a number.
  public var notFinite: UInt64 { counters.pointee.notFinite.now() }
  /// Levels that came too late for their frame.
  public var lateLevels: UInt64 { counters.pointee.lateLevels.now() }
  /// Samples that a stream did not deliver in time.
  public var missingSamples: UInt64 { counters.pointee.missingSamples.now() }

  /// Offers a plan. Returns the plan offered before, if the engine has not taken it.
  @discardableResult
  public func offer(_ plan: UnsafeMutablePointer<Plan>) -> UnsafeMutablePointer<Plan>? {
    exchange.pointee.offer(plan)
  }
  /// Takes back the plan that the engine has not taken yet.
  public func withdraw() -> UnsafeMutablePointer<Plan>? { exchange.pointee.withdraw() }
  /// Returns the plans that the engine no longer uses.
  public func collect() -> [UnsafeMutablePointer<Plan>] { exchange.pointee.collect() }

  /// Runs one cycle, as a host does. Finished frames stay in the queue until the subclass takes them.
  open func process(_ count: Int, time: UInt64 = 0) {
    var done: UInt32 = 0
    while done < UInt32(count) {
      done += engine.pointee.advance(ports: ports, offset: done, count: UInt32(count) - done, time: time)
    }
  }

  /// Advances an engine as a callback does, under the counting interposer (CGuard) and the sanitizer. Returns the
  /// counts of what a callback must not do.
  @inline(never)
  public static func guardedAdvance(
    _ engine: UnsafeMutablePointer<AudioEngine>, _ ports: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>,
    _ offset: UInt32, _ count: UInt32
  ) -> (UInt32, guard_counts) {
    guard_enter()
    vg_enter_callback()
    let done = engine.pointee.advance(ports: ports, offset: offset, count: count, time: 0)
    vg_leave_callback()
    return (done, guard_leave())
  }
}

extension guard_counts {
  /// Whether the callback did nothing that it must not do.
  public var isClean: Bool {
    references + objects + accesses + onces + metadata + allocations + frees + locks + waits + calls == 0
  }
}
