public import Engine
import Nodes
import System

/// Performs the changes of scene for which events of a show ask. [frame]
public final class SceneEvents: FrameObserver, @unchecked Sendable {
  private let perform = Callback<ShowCommand>()
  /// [frame] The scene requests of a plan, gathered once for each version of a plan.
  private var requests: (of: CompiledPlan.Version, all: [SceneRequest])?

  /// Has no callback yet.
  public init() {}

  /// Sets the callback that performs the changes; the frame thread calls it, so it must not wait. [control]
  public func onEvent(_ perform: @escaping @Sendable (ShowCommand) -> Void) {
    self.perform.set(perform)
  }

  /// After a frame: performs the changes of scene for which its events ask.
  public func saw(_ plan: CompiledPlan, _ header: RecordHeader) {
    let version = plan.version
    if requests?.of != version { requests = (version, plan.sceneRequests) }
    for request in requests?.all ?? [] {
      if let change = request.take() { perform(.scene(change.choice, seconds: change.seconds)) }
    }
  }
}
