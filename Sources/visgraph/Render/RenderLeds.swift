import Engine
import Graphs
import Nodes
import Particles
import Rendering

/// Draws the LEDs of nodes, alone or over the stage. [frame]
struct RenderLeds {
  struct Request {
    /// The ids of the nodes; empty: the stage alone is drawn.
    var ids: [String] = []
    /// Whether the stage is drawn below them.
    var isOnStage = false
  }

  /// Whether the stage is drawn below the LEDs.
  let isOnStage: Bool
  private let ids: [String]
  private let picture: LedPicture

  /// `width` × `height` in pixels. Nil where no LEDs are asked for.
  init?(_ request: Request, _ plan: CompiledPlan, width: Int, height: Int) {
    guard !request.ids.isEmpty else { return nil }
    (ids, isOnStage) = (request.ids, request.isOnStage)
    let stage = plan.graph.stage
    picture = LedPicture(
      ids.map { id in plan.leds.first { $0.id == id }?.places ?? [] },
      stage: Size(width: Double(stage.width), height: Double(stage.height)), width: width, height: height)
  }

  /// Passes the pixels of the LEDs in their current colors to `body`, drawn over `stage` where there is one.
  func draw(
    _ plan: CompiledPlan, over stage: UnsafeRawBufferPointer? = nil, _ body: (UnsafeRawBufferPointer) -> Void
  ) {
    let leds = plan.leds
    picture.draw(ids.map { id in leds.first { $0.id == id }?.shownColors ?? [] }, over: stage, body)
  }
}
