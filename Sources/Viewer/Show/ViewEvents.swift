public import Engine
import Graphs
import Synchronization
import System

/// Events of a show on their way from the frame thread to pages. Taken while a page subscribes to them; the number of
/// waiting ones is limited.
public final class ViewEvents: FrameObserver {
  struct Item {
    /// The number of the event output.
    let output: Int
    let name: String
    /// From 0.
    let channel: Int
    /// In s of the timeline.
    let time: Double
  }

  /// The maximum number of waiting events; more are dropped.
  static let most = 256
  private let isWanted = Atomic<Bool>(false)
  private let waiting = Locked<[Item]>([])

  /// No events yet.
  public init() {}

  /// Takes the events of a frame. [frame]
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

  /// Sets whether a page subscribes to events. [view]
  func want(_ isWanted: Bool) { self.isWanted.store(isWanted, ordering: .relaxed) }

  /// Returns the events since the last call. [view]
  func take() -> [Item] {
    waiting.withLock { waiting in
      defer { waiting.removeAll(keepingCapacity: true) }
      return waiting
    }
  }
}
