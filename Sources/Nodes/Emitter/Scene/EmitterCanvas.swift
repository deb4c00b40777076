import Engine
import Graphs
import Particles
import Rendering

/// Draws emitters at the size that LEDs or lamps take their colors from. What draws the stage reports pictures that cannot be
/// read. [scene]
final class EmitterCanvas {
  private let stage: Stage
  private let sampler: LedSampler
  /// What shows no picture needs none.
  private lazy var canvas = Canvas(
    width: sampler.width, height: sampler.height,
    stage: Size(width: Double(stage.width), height: Double(stage.height)), textures: textures,
    toneMapping: stage.tone)
  private let textures = Textures()
  /// The pictures of files that were read, or tried.
  private var known: Set<Contents> = []
  private var sprites: [Sprite] = []

  /// Made for what is sampled. [control]
  init(_ stage: Stage, for sampler: LedSampler) { (self.stage, self.sampler) = (stage, sampler) }

  /// Draws emitters above a background, and a picture where there is one, and has the sampler take its colors.
  func show(_ emitters: [EmitterScene], on background: Color, picture: Picture? = nil) {
    canvas.begin(background: background, picture: picture)
    EmitterScene.draw(emitters, on: canvas, &sprites) { materials in
      let new = materials.filter { known.insert($0.contents).inserted }
      if !new.isEmpty { try? textures.read(new) }
    }
    sampler.take(canvas.end(rows: sampler.rows))
  }
}
