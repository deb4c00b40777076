import CRealtime
import Engine
import Graphs
import Hosts
import Realtime
import System

/// The newest levels, and their maxima since the last poll, for the screen. Costs the frame thread one pass over the
/// levels. [frame] writes, [control] reads.
final class LevelMonitor: FrameObserver {
  struct Snapshot {
    /// The number of the plan to which the levels belong.
    var plan: Int?
    /// The newest level, by level number.
    var levels: [Float] = []
    /// The maximum since the last poll, by level number.
    var highest: [Float] = []
    /// The position of the timeline, in s.
    var timeline = 0.0
  }

  /// Keeps levels computed while subscribers read them.
  let demand: LevelDemand
  private let snapshot = Locked(Snapshot())

  init(_ demand: LevelDemand) { self.demand = demand }

  /// Returns the snapshot and restarts the maxima.
  func poll() -> Snapshot {
    snapshot.withLock { snapshot in
      let seen = snapshot
      snapshot.highest = seen.levels
      return seen
    }
  }

  /// The newest levels and their plan, for subscribers. [any]
  var newest: (plan: Int?, levels: [Float]) {
    demand.noteReading(at: MonotonicClock.now)
    return snapshot.withLock { ($0.plan, $0.levels) }
  }

  /// The position of the timeline, in s. [any]
  var timeline: Double { snapshot.withLock { $0.timeline } }

  func saw(_ plan: CompiledPlan, _ header: RecordHeader) {
    let levels = UnsafeBufferPointer(start: plan.frames.levels, count: plan.frames.levelCount)
    snapshot.withLock { snapshot in
      snapshot.timeline = plan.frames.timeline.seconds(at: header.endSample)
      if snapshot.plan != plan.number {
        snapshot.plan = plan.number
        snapshot.levels = Array(levels)
        snapshot.highest = snapshot.levels
        return
      }
      snapshot.levels.withUnsafeMutableBufferPointer { newest in
        snapshot.highest.withUnsafeMutableBufferPointer { highest in
          for i in levels.indices {
            newest[i] = levels[i]
            highest[i] = max(highest[i], levels[i])
          }
        }
      }
    }
  }
}

extension FramePlan {
  /// The level numbers by column name. [control]
  var levelNumbers: [String: Int] {
    Dictionary(columns.map { ($0.name, $0.level) }, uniquingKeysWith: { first, _ in first })
  }
}

/// Calls an action when the timeline has reached the run's length. [frame]
final class DurationLimit: FrameObserver {
  /// The length of the run, in s; nil: no limit.
  private let limit: Double?
  private let reached = Callback<Void>()

  init(_ limit: Double?) { self.limit = limit }

  /// Sets the action. The frame thread calls it once. [control]
  func onReached(_ action: @escaping @Sendable () -> Void) { reached.set(action) }

  func saw(_ plan: CompiledPlan, _ header: RecordHeader) {
    guard let limit else { return }
    // Frames beyond the limit are not written, so the previous one was the last. The lengths of frames may differ by
    // one sample: this may run one frame more, never one less.
    let next = header.endSample + Int64(header.samples) / Int64(max(1, header.frames)) - 1
    guard next > plan.frames.timeline.sample(at: limit) else { return }
    reached.callOnce()
  }
}
