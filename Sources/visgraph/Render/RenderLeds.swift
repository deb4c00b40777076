import Engine
import Graphs
import Nodes
import Particles
import Rendering

/// The LEDs of nodes as a picture, in place of the stage or above it. [frame]
struct RenderLeds {
  /// What is asked for.
  struct Request {
    /// The nodes whose LEDs are shown; none: the stage.
    var ids: [String] = []
    /// Whether the stage is seen below them.
    var isOnStage = false
  }

  /// Whether the stage is to be drawn below.
  let isOnStage: Bool
  private let ids: [String]
  private let picture: LedPicture

  /// The nodes of these ids, in a picture of so many pixels. Nil where none is asked for.
  init?(_ request: Request, _ plan: CompiledPlan, width: Int, height: Int) {
    guard !request.ids.isEmpty else { return nil }
    (ids, isOnStage) = (request.ids, request.isOnStage)
    let stage = plan.graph.stage
    picture = LedPicture(
      ids.map { id in plan.leds.first { $0.id == id }?.places ?? [] },
      stage: Size(width: Double(stage.width), height: Double(stage.height)), width: width, height: height)
  }

  /// Lends the pixels of a picture of them as they are lit, above those of the stage where there are any.
  func draw(
    _ plan: CompiledPlan, over stage: UnsafeRawBufferPointer? = nil, _ body: (UnsafeRawBufferPointer) -> Void
  ) {
    let leds = plan.leds
    picture.draw(ids.map { id in leds.first { $0.id == id }?.shownColors ?? [] }, over: stage, body)
  }
}
