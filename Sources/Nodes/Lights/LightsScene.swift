import Engine
import Graphs
import Particles
import Rendering
import System

/// The colors of emitters at the places of fixtures. They are drawn after the lights of a frame and used by those of
/// the next, so that no light waits for a picture. [scene] draws it, [frame] takes it
final class LightsScene: SceneNode, @unchecked Sendable {
  private let places: [SIMD2<Double>]
  private let area: Double
  private let stage: Stage
  private let sampler: LedSampler
  private let canvas: EmitterCanvas
  /// The emitters of the next frame, and whether colors are output as linear light.
  private struct Step {
    let pictures: PixelPictures
    let isLinear: Bool
  }

  private let nextStep = Locked<Step?>(nil)
  /// By place: the color taken last, 0…1.
  private let shown: Locked<[SIMD3<Float>]>

  /// `places` are fractions of the stage. Each takes the mean of a square whose side is `area` of the stage's height.
  /// [control]
  init(_ places: [SIMD2<Double>], area: Double, _ stage: Stage) {
    (self.places, self.area, self.stage) = (places, area, stage)
    let size = Size(width: Double(stage.width), height: Double(stage.height))
    let side = area * size.height
    sampler = LedSampler(
      places.map { LedPlace(x: $0.x * size.width, y: $0.y * size.height, width: side, height: side) },
      stage: size, sampling: .mean)
    canvas = EmitterCanvas(stage, for: sampler)
    shown = Locked(Array(repeating: SIMD3(), count: places.count))
  }

  /// Whether it was made with these arguments.
  func fits(_ places: [SIMD2<Double>], area: Double, _ stage: Stage) -> Bool {
    self.places == places && self.area == area && self.stage.width == stage.width
      && self.stage.height == stage.height && self.stage.tone == stage.tone
  }

  /// False: the node shows particles of other nodes.
  var moves: Bool { false }

  /// Sets the emitters of the frame, and whether colors are output as linear light. [frame]
  func leave(_ pictures: PixelPictures, isLinear: Bool) {
    _ = nextStep.withLockSoon { $0 = Step(pictures: pictures, isLinear: isLinear) }
  }

  /// Copies the newest colors, one per place; where the lock is held, `colors` stay as they are. [frame]
  func take(_ colors: inout [SIMD3<Float>]) {
    _ = shown.withLockSoon { shown in
      for index in shown.indices { colors[index] = shown[index] }
    }
  }

  /// Does nothing: the node has no particles.
  func advance() {}

  /// None: the code that draws the stage reports unreadable pictures.
  func takeMessages() -> [String] { [] }

  /// Draws the emitters of the newest frame, and takes the colors from the picture.
  func show() {
    guard let step = nextStep.withLock({ $0 }) else { return }
    step.pictures.show(on: canvas)
    let brightness = step.pictures.brightness
    let colors = places.indices.map { place in
      var light = sampler.light(of: place) * brightness
      if step.isLinear { for part in 0..<3 { light[part] = Float(OKLab.decoded(Double(light[part]))) } }
      return light
    }
    shown.withLock { $0 = colors }
  }
}
