import Engine
import Graphs
import Particles
import Rendering

/// Draws emitters at the size from which LEDs or lamps take their colors. It ignores unreadable pictures, which the
/// code that draws the stage reports. [scene]
final class EmitterCanvas {
  private let stage: Stage
  private let sampler: LedSampler
  /// Made when it is first used, because without pictures none is needed.
  private lazy var canvas = Canvas(
    width: sampler.width, height: sampler.height,
    stage: Size(width: Double(stage.width), height: Double(stage.height)), textures: textures,
    toneMapping: stage.tone)
  private let textures = Textures()
  /// The pictures that were read, or could not be read.
  private var known: Set<Contents> = []
  private var sprites: [Sprite] = []

  /// Makes a canvas for a sampler. [control]
  init(_ stage: Stage, for sampler: LedSampler) { (self.stage, self.sampler) = (stage, sampler) }

  /// Draws emitters above a background, and a picture if there is one, and passes the colors to the sampler.
  func show(_ emitters: [EmitterScene], on background: Color, picture: Picture? = nil) {
    canvas.begin(background: background, picture: picture)
    EmitterScene.draw(emitters, on: canvas, &sprites) { materials in
      let new = materials.filter { known.insert($0.contents).inserted }
      if !new.isEmpty { try? textures.read(new) }
    }
    sampler.take(canvas.end(rows: sampler.rows))
  }
}
