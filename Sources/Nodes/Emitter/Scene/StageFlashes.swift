public import Engine
import Glibc
import Graphs
import Particles
import Rendering
import System

/// Holds the brightness of the stage down where it would flash more often than it may: it draws every frame into a few
/// pixels, as large as the stage, and looks at the light of its parts. [scene]
///
/// The factor is of the colors as they are shown, so code that shows the stage multiplies the finished picture by it.
public final class StageFlashes: SceneNode, @unchecked Sendable {
  /// Pixels across, and the most down.
  private static let columns = 32
  private static let mostRows = 64
  /// Parts across and down whose light is looked at.
  private static let parts = (across: 4, down: 3)
  /// WCAG counts what flashes on a quarter of ten degrees of sight, which may be a small part of a wall: half of a part that
  /// changes by a tenth counts.
  private static let step = FlashLimit.step / 2

  private let scenes: [EmitterScene]
  private let stage: Stage
  private let most: Int
  private let canvas: Canvas
  private let textures: Textures
  private let picture: Picture?
  /// The place of the part that a pixel lies in.
  private let partOfPixel: [Int]
  /// How many pixels each part has; a stage that is a line has parts without any.
  private let pixelsOfPart: [Float]
  private var sprites: [Sprite] = []
  /// The pixels as they are shown on black, three bytes each.
  private var colors: [UInt8] = []

  /// The number of the newest frame that was drawn; of `[scene]` alone.
  private var frame: Int64 = -1

  private let lock = Lock()
  /// Guarded by the lock, as are the two below.
  private var limits: [FlashLimit]
  private var factor: Float = 1
  private var follower: (@Sendable (StagePacket) -> Void)?

  /// The stage of a graph with emitters; goes on counting from `before`. [control]
  init(_ scenes: [EmitterScene], _ graph: CheckedGraph, flashes most: Int, before: StageFlashes?) {
    self.scenes = scenes
    self.most = most
    stage = graph.stage
    textures = Textures()
    let ratio = Double(stage.height) / Double(stage.width)
    let rows = max(1, min(Self.mostRows, Int((Double(Self.columns) * ratio).rounded())))
    canvas = Canvas(
      width: Self.columns, height: rows,
      stage: Size(width: Double(stage.width), height: Double(stage.height)), textures: textures,
      toneMapping: stage.tone, threads: 1)
    // A picture that cannot be read is shown as the built-in light; who draws the stage reports it.
    try? textures.read(scenes.flatMap { $0.withSystems { $0.flatMap(\.materials) } })
    picture = stage.picture.flatMap { try? Picture.read(path: $0.path) }
    let partOfPixel = (0..<Self.columns * rows).map { pixel in
      let (x, y) = (pixel % Self.columns, pixel / Self.columns)
      return y * Self.parts.down / rows * Self.parts.across + x * Self.parts.across / Self.columns
    }
    let parts = 0..<Self.parts.across * Self.parts.down
    self.partOfPixel = partOfPixel
    pixelsOfPart = parts.map { part in Float(partOfPixel.count { $0 == part }) }
    limits = parts.map { _ in FlashLimit(step: Self.step) }
    if let before {
      before.lock.withLock { (limits, factor, follower) = (before.limits, before.factor, before.follower) }
    }
  }

  /// What the finished picture of a frame is multiplied by, 0…1. [any]
  public var brightness: Float { lock.withLock { factor } }

  /// Draws the newest frame, and says how bright it may be.
  public func advance() {
    guard let newest = scenes.compactMap(\.newest).max(by: { $0.number < $1.number }), newest.number != frame
    else { return }
    frame = newest.number
    draw()
    let time = newest.time
    let caps = lock.withLock { limits.map { $0.most(at: time, flashes: most) } }
    let (factor, shown) = largest(within: caps)
    lock.withLock {
      for part in limits.indices { limits[part].note(shown[part], at: time) }
      let isNew = factor < 1 || self.factor < 1
      self.factor = factor
      guard isNew, let follower else { return }
      follower(StagePacket(brightness: factor, frame: newest.number, microseconds: newest.ended / 1000))
    }
  }

  private func draw() {
    canvas.begin(background: stage.background, picture: picture)
    EmitterScene.draw(scenes, on: canvas, &sprites)
    canvas.end { pixels in
      colors.removeAll(keepingCapacity: true)
      for pixel in partOfPixel.indices {
        let alpha = Int(pixels[4 * pixel + 3])
        for channel in 0..<3 { colors.append(UInt8((Int(pixels[4 * pixel + channel]) * alpha + 127) / 255)) }
      }
    }
  }

  /// The largest factor, in steps of 1/255, with which no part is lighter than it may be, and the light of the parts then.
  private func largest(within caps: [Float]) -> (factor: Float, light: [Float]) {
    func fits(_ light: [Float]) -> Bool { zip(light, caps).allSatisfy { $0 <= $1 } }
    let whole = light(at: 1)
    if fits(whole) { return (1, whole) }
    var (low, high) = ((step: 0, light: light(at: 0)), 255)
    while high - low.step > 1 {
      let middle = (low.step + high) / 2
      let light = light(at: Float(middle) / 255)
      if fits(light) { low = (middle, light) } else { high = middle }
    }
    return (Float(low.step) / 255, low.light)
  }

  /// The mean light of each part, 0…1, at a factor of its colors.
  private func light(at factor: Float) -> [Float] {
    let light = (0..<256).map { Self.linear(Float($0) / 255 * factor) }
    var sums = [Float](repeating: 0, count: pixelsOfPart.count)
    for (pixel, part) in partOfPixel.enumerated() {
      let red = light[Int(colors[3 * pixel])]
      let (green, blue) = (light[Int(colors[3 * pixel + 1])], light[Int(colors[3 * pixel + 2])])
      // Relative luminance; a saturated red, which WCAG counts by itself, as much as white.
      let isRed = red >= 0.8 * (red + green + blue)
      sums[part] += isRed ? red : 0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
    return zip(sums, pixelsOfPart).map { $1 > 0 ? $0 / $1 : 0 }
  }

  /// The light of a color that sRGB writes so (IEC 61966-2-1).
  private static func linear(_ value: Float) -> Float {
    value <= 0.04045 ? value / 12.92 : powf((value + 0.055) / 1.055, 2.4)
  }

  /// From the next frame on that is held down, sends by how much; nil: no more. `take` has to return at once. [any]
  public func follow(_ take: (@Sendable (StagePacket) -> Void)?) { lock.withLock { follower = take } }

  /// Who draws the stage reports what there is to report.
  public func takeMessages() -> [String] { [] }
}

extension StagePacket {
  /// How bright a frame is shown: for all, whichever emitters they have.
  init(brightness: Float, frame: Int64, microseconds: UInt64) {
    var bytes: [UInt8] = []
    StageRecord.brightness.append(to: &bytes) { writer in
      writer.write(UInt32(truncatingIfNeeded: frame))
      writer.write(UInt32(truncatingIfNeeded: microseconds))
      writer.write(brightness.bitPattern)
    }
    self.init(emitter: 0, audience: .following, bytes: bytes)
  }
}

extension CompiledPlan {
  /// What holds the stage down where flashes are limited; nil where they are not.
  public var stageFlashes: StageFlashes? { sceneEnd as? StageFlashes }
}
