import Engine
import Graphs
import Particles
import Rendering

/// Draws emitters at the size from which LEDs or lamps take their colors. Pictures that cannot be read are skipped; the
/// code that draws the stage reports them. [scene]
final class EmitterCanvas {
  private let stage: Stage
  private let sampler: LedSampler
  /// Made by the first `show`: a run that draws nothing allocates none.
  private lazy var canvas = Canvas(
    width: sampler.width, height: sampler.height,
    stage: Size(width: Double(stage.width), height: Double(stage.height)), textures: textures,
    toneMapping: stage.tone)
  private let textures = Textures()
  /// The pictures that `show` has tried to read.
  private var tried: Set<Contents> = []
  private var sprites: [Sprite] = []

  /// Makes a canvas for a sampler. [control]
  init(_ stage: Stage, for sampler: LedSampler) { (self.stage, self.sampler) = (stage, sampler) }

  /// Draws emitters above a background, and a picture if there is one, and passes the colors to the sampler.
  func show(_ emitters: [EmitterScene], on background: Color, picture: Picture? = nil) {
    canvas.begin(background: background, picture: picture)
    EmitterScene.draw(emitters, on: canvas, &sprites) { materials in
      // Marks them as tried, too.
      let new = materials.filter { tried.insert($0.contents).inserted }
      if !new.isEmpty { try? textures.read(new) }
    }
    sampler.take(canvas.end(rows: sampler.rows))
  }
}
