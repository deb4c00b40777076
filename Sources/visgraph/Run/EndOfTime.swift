import Graphs
import Hosts
import Realtime
import System

/// Sees when the timeline has reached its end. [frame]
final class EndOfTime: FrameWatcher {
  /// In seconds; nil: none.
  private let limit: Double?
  private let reached = Locked<(@Sendable () -> Void)?>(nil)

  init(_ limit: Double?) { self.limit = limit }

  /// Called once, on the frame thread, when the end is there.
  var onReached: (@Sendable () -> Void)? {
    get { reached.withLock { $0 } }
    set { reached.withLock { $0 = newValue } }
  }

  func saw(_ plan: CompiledPlan, _ header: RecordHeader) {
    guard let limit else { return }
    // A frame that would end beyond the limit is not written: the one before was the last. Where frames are not all
    // equally long the next may be a sample shorter than this one; better one frame too many is run.
    let next = header.endSample + Int64(header.samples) / Int64(max(1, header.frames)) - 1
    guard next > plan.frames.timeline.sample(at: limit) else { return }
    let action = reached.withLock { action in
      defer { action = nil }
      return action
    }
    action?()
  }
}
