public import CGuard
import CRealtime
public import Engine
import Realtime

/// An engine with everything around it, advanced by hand. What runs in it, graphs or plans made by hand, and who takes its
/// frames is the business of those that inherit it.
open class EngineRig: @unchecked Sendable {
  /// The engine, and what belongs to it.
  public let memory = EngineMemory()
  /// The host's buffers, by port number.
  public let ports: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>

  /// An engine without a plan and without buffers.
  public init() {
    ports = .allocate(capacity: PortNumbers.capacity)
    ports.initialize(repeating: nil, count: PortNumbers.capacity)
  }

  deinit { ports.deallocate() }

  /// Where plans are offered.
  public var exchange: UnsafeMutablePointer<PlanExchange> { memory.exchange }
  /// What the engine counts.
  public var counters: UnsafeMutablePointer<EngineCounters> { memory.counters }
  /// The engine.
  public var engine: UnsafeMutablePointer<AudioEngine> { memory.engine }

  /// Where the timeline is.
  public var sample: Int { Int(engine.pointee.sample) }
  /// The frames that are finished.
  public var finished: Int64 { engine.pointee.finished }
  /// Whether a plan runs.
  public var isRunning: Bool { engine.pointee.isRunning }
  /// Samples processed, by all plans.
  public var samples: UInt64 { counters.pointee.samples.now() }
  /// Frames that were merged, as nobody took them.
  public var mergedFrames: UInt64 { counters.pointee.mergedFrames.now() }
  /// Samples that were not finite.
  public var notFinite: UInt64 { counters.pointee.notFinite.now() }
  /// Levels that came too late for their frame.
  public var lateLevels: UInt64 { counters.pointee.lateLevels.now() }
  /// Samples that a stream did not have in time.
  public var missingSamples: UInt64 { counters.pointee.missingSamples.now() }

  /// Offers a plan; gives the one that waited and was never taken.
  @discardableResult
  public func offer(_ plan: UnsafeMutablePointer<Plan>) -> UnsafeMutablePointer<Plan>? {
    exchange.pointee.offer(plan)
  }
  /// Takes back the plan that waits.
  public func withdraw() -> UnsafeMutablePointer<Plan>? { exchange.pointee.withdraw() }
  /// The plans that the engine has left.
  public func collect() -> [UnsafeMutablePointer<Plan>] { exchange.pointee.collect() }

  /// One cycle, as a host advances it; frames finished on the way are left to those who take them.
  open func process(_ count: Int, time: UInt64 = 0) {
    var done: UInt32 = 0
    while done < UInt32(count) {
      done += engine.pointee.advance(ports: ports, offset: done, count: UInt32(count) - done, time: time)
    }
  }

  /// Advances an engine as a callback does, under the guard and the sanitizer; gives what was done that must not be.
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
  /// Whether nothing was counted.
  public var isClean: Bool {
    references + objects + accesses + onces + metadata + allocations + frees + locks + waits + calls == 0
  }
}
