public import Engine
import Nodes
import System

/// Hands on what the events of a show ask for: changes of scene. [frame]
public final class SceneEvents: FrameObserver, @unchecked Sendable {
  private let perform = Callback<ShowCommand>()
  /// [frame] What the events of a plan can ask for, gathered once for each plan and setting.
  private var requests: (of: CompiledPlan.Version, all: [SceneRequest])?

  /// Nobody hears of it yet.
  public init() {}

  /// Who has it done; called on the frame thread, and must not wait. [control]
  public func onEvent(_ perform: @escaping @Sendable (ShowCommand) -> Void) {
    self.perform.set(perform)
  }

  /// A frame is over: what its events have asked for is handed on.
  public func saw(_ plan: CompiledPlan, _ header: RecordHeader) {
    let version = plan.version
    if requests?.of != version { requests = (version, plan.sceneRequests) }
    for request in requests?.all ?? [] where request.take() {
      perform(.scene(request.choice, seconds: request.seconds))
    }
  }
}
