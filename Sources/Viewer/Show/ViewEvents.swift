public import Engine
import Graphs
import Synchronization
import System

/// The events of a show on their way to pages: taken by the frame thread while anybody wants them, never more than wait
/// here.
public final class ViewEvents: FrameObserver {
  /// One event.
  struct Item {
    /// The number of the event output.
    let output: Int
    let name: String
    /// From 0.
    let channel: Int
    /// Where on the timeline, in seconds.
    let time: Double
  }

  /// The most that wait; more are left out.
  static let most = 256
  private let isWanted = Atomic<Bool>(false)
  private let waiting = Locked<[Item]>([])

  /// None yet.
  public init() {}

  /// Takes those of a frame. [frame]
  public func saw(_ plan: CompiledPlan, _ header: RecordHeader) {
    guard isWanted.load(ordering: .relaxed) else { return }
    let events = plan.frames.lastEvents
    guard !events.isEmpty else { return }
    let timeline = plan.frames.timeline
    waiting.withLockIfAvailable { waiting in
      for event in events where waiting.count < Self.most {
        waiting.append(
          Item(
            output: event.output, name: event.name, channel: event.channel,
            time: timeline.seconds(at: event.sample)))
      }
    }
  }

  /// Whether anybody wants them. [view]
  func want(_ isWanted: Bool) { self.isWanted.store(isWanted, ordering: .relaxed) }

  /// What has come since. [view]
  func take() -> [Item] {
    waiting.withLock { waiting in
      defer { waiting.removeAll(keepingCapacity: true) }
      return waiting
    }
  }
}
