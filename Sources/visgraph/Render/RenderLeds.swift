import Engine
import Graphs
import Nodes
import Particles
import Rendering

/// The LEDs of nodes as a picture, in place of the stage. [frame]
struct RenderLeds {
  private let ids: [String]
  private let picture: LedPicture

  /// The nodes of these ids, in a picture of so many pixels. Nil where none is asked for.
  init?(_ ids: [String], _ plan: CompiledPlan, width: Int, height: Int) {
    guard !ids.isEmpty else { return nil }
    self.ids = ids
    let stage = plan.graph.stage
    picture = LedPicture(
      ids.map { id in plan.leds.first { $0.id == id }?.places ?? [] },
      stage: Size(width: Double(stage.width), height: Double(stage.height)), width: width, height: height)
  }

  /// Lends the pixels of a picture of them as they are lit.
  func draw(_ plan: CompiledPlan, _ body: (UnsafeRawBufferPointer) -> Void) {
    let leds = plan.leds
    picture.draw(ids.map { id in leds.first { $0.id == id }?.shownColors ?? [] }, body)
  }
}
