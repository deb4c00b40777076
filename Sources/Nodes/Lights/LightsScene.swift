import Engine
import Graphs
import Particles
import Rendering
import System

/// The light of emitters at the places of fixtures: drawn after the lights of a frame, and taken by those of the next, so
/// that no light waits for a picture. [scene] draws it, [frame] takes it
final class LightsScene: SceneNode, @unchecked Sendable {
  private let places: [SIMD2<Double>]
  private let area: Double
  private let stage: Stage
  private let sampler: LedSampler
  private let canvas: EmitterCanvas
  /// What the next frame shows, and whether its colors are in proportion to the light.
  private struct Step {
    let pictures: PixelPictures
    let isLinear: Bool
  }

  private let wanted = Locked<Step?>(nil)
  /// Of each place the color that was taken last, 0…1.
  private let shown: Locked<[SIMD3<Float>]>

  /// `places` are in parts of the stage; each takes the mean of a square whose sides are `area` of the stage's height.
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

  /// Whether it was made for these.
  func fits(_ places: [SIMD2<Double>], area: Double, _ stage: Stage) -> Bool {
    self.places == places && self.area == area && self.stage.width == stage.width
      && self.stage.height == stage.height && self.stage.tone == stage.tone
  }

  /// It shows what others move.
  var moves: Bool { false }

  /// Says what the frame shows, and whether its colors are in proportion to the light. [frame]
  func leave(_ pictures: PixelPictures, isLinear: Bool) {
    _ = wanted.withLockSoon { $0 = Step(pictures: pictures, isLinear: isLinear) }
  }

  /// Takes the newest colors, one of each place; leaves those that are there where the lock is held. [frame]
  func take(_ colors: inout [SIMD3<Float>]) {
    _ = shown.withLockSoon { shown in
      for index in shown.indices { colors[index] = shown[index] }
    }
  }

  /// Nothing moves of itself.
  func advance() {}

  /// What draws the stage reports pictures that cannot be read.
  func takeMessages() -> [String] { [] }

  /// Draws the emitters of the newest frame, and takes the colors out of the picture.
  func show() {
    guard let step = wanted.withLock({ $0 }) else { return }
    canvas.show(step.pictures.emitters, on: step.pictures.background)
    let brightness = step.pictures.brightness
    let colors = places.indices.map { place in
      var light = sampler.light(of: place) * brightness
      if step.isLinear { for part in 0..<3 { light[part] = Float(OKLab.decoded(Double(light[part]))) } }
      return light
    }
    shown.withLock { $0 = colors }
  }
}
