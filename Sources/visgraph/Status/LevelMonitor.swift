import CRealtime
import Engine
import Graphs
import Hosts
import Realtime
import System

/// What the screen knows of the levels: the newest, and the highest since it last looked. Costs the frame thread one
/// pass over the levels, nothing more. [frame] writes, [control] reads.
final class LevelMonitor: FrameObserver {
  /// The levels of a plan since the last look.
  struct Snapshot {
    /// The plan they are of.
    var plan: Int?
    /// By level number: the newest.
    var levels: [Float] = []
    /// By level number: the highest since the last look.
    var highest: [Float] = []
    /// Where the timeline is, in seconds.
    var timeline = 0.0
  }

  /// Notified when others than the screen look.
  let demand: LevelDemand
  private let sight = Locked(Snapshot())

  init(_ demand: LevelDemand) { self.demand = demand }

  /// Looks; what comes from now on is counted for the next look.
  func poll() -> Snapshot {
    sight.withLock { sight in
      let seen = sight
      sight.highest = seen.levels
      return seen
    }
  }

  /// The newest levels, and the plan they are of, for subscribers. [any]
  var newest: (plan: Int?, levels: [Float]) {
    demand.look(at: MonotonicClock.now)
    return sight.withLock { ($0.plan, $0.levels) }
  }

  /// Where the timeline is, in seconds. [any]
  var timeline: Double { sight.withLock { $0.timeline } }

  func saw(_ plan: CompiledPlan, _ header: RecordHeader) {
    let levels = UnsafeBufferPointer(start: plan.frames.levels, count: plan.frames.levelCount)
    sight.withLock { sight in
      sight.timeline = plan.frames.timeline.seconds(at: header.endSample)
      if sight.plan != plan.number {
        sight.plan = plan.number
        sight.levels = Array(levels)
        sight.highest = sight.levels
        return
      }
      sight.levels.withUnsafeMutableBufferPointer { newest in
        sight.highest.withUnsafeMutableBufferPointer { highest in
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
  /// The number of each level, by the name of its column. [control]
  var levelNumbers: [String: Int] {
    Dictionary(columns.map { ($0.name, $0.level) }, uniquingKeysWith: { first, _ in first })
  }
}

/// Sees when the timeline has reached its end. [frame]
final class DurationLimit: FrameObserver {
  /// In seconds; nil: none.
  private let limit: Double?
  private let reached = Callback<Void>()

  init(_ limit: Double?) { self.limit = limit }

  /// What is called once, on the frame thread, when the end is there. [control]
  func onReached(_ action: @escaping @Sendable () -> Void) { reached.set(action) }

  func saw(_ plan: CompiledPlan, _ header: RecordHeader) {
    guard let limit else { return }
    // A frame that would end beyond the limit is not written: the one before was the last. Where frames are not all
    // equally long the next may be a sample shorter than this one; better one frame too many is run.
    let next = header.endSample + Int64(header.samples) / Int64(max(1, header.frames)) - 1
    guard next > plan.frames.timeline.sample(at: limit) else { return }
    reached.callOnce()
  }
}
