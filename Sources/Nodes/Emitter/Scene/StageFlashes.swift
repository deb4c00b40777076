public import Engine
import Glibc
import Graphs
import Particles
import Rendering
import System

/// Limits the brightness of the stage so that no region of it flashes more often than the graph allows. Draws each
/// frame 32 pixels wide, in the stage's aspect ratio, and measures the light of 4 × 3 regions. [scene]
///
/// The factor multiplies the sRGB-encoded colors of the finished picture, in code that shows the stage.
public final class StageFlashes: SceneNode, @unchecked Sendable {
  /// Pixels across.
  private static let columns = 32
  /// The maximum of pixels down.
  private static let maxRows = 64
  /// Regions across and down.
  private static let regions = (across: 4, down: 3)
  /// WCAG 2.3.1 counts a change of 0.1 over 25 % of a 10° field of view. On a large wall that may be half of a
  /// region, whose mean then changes by half of 0.1.
  private static let step = FlashLimit.step / 2

  private let scenes: [EmitterScene]
  private let stage: Stage
  private let flashesPerSecond: Int
  private let canvas: Canvas
  private let textures: Textures
  /// The contents whose pictures `draw` has tried to read; of `[scene]` alone.
  private var tried: Set<Contents> = []
  private let picture: Picture?
  /// By pixel: the index of its region.
  private let regionOfPixel: [Int]
  /// By region: how many pixels it has. A stage that is a line has regions without pixels.
  private let pixelsOfRegion: [Float]
  private var sprites: [Sprite] = []
  /// The pixels on black, sRGB-encoded, three bytes each.
  private var colors: [UInt8] = []

  /// The number of the newest frame that was drawn; of `[scene]` alone.
  private var frame: Int64 = -1

  private let lock = Lock()
  /// Guarded by the lock, as are the two below.
  private var limits: [FlashLimit]
  private var factor: Float = 1
  private var follower: (@Sendable (StagePacket) -> Void)?

  /// Makes the limiter of a graph with emitters. It takes over the counts of `before`. [control]
  init(_ scenes: [EmitterScene], _ graph: CheckedGraph, flashes flashesPerSecond: Int, before: StageFlashes?)
  {
    self.scenes = scenes
    self.flashesPerSecond = flashesPerSecond
    stage = graph.stage
    textures = Textures()
    let ratio = Double(stage.height) / Double(stage.width)
    let rows = max(1, min(Self.maxRows, Int((Double(Self.columns) * ratio).rounded())))
    canvas = Canvas(
      width: Self.columns, height: rows,
      stage: Size(width: Double(stage.width), height: Double(stage.height)), textures: textures,
      toneMapping: stage.tone, threads: 1)
    // A picture that cannot be read is drawn as the built-in light; the code that draws the stage reports the
    // fault.
    try? textures.read(scenes.flatMap { $0.withSystems { $0.flatMap(\.materials) } })
    picture = stage.picture.flatMap { try? Picture.read(path: $0.path) }
    let regionOfPixel = (0..<Self.columns * rows).map { pixel in
      let (x, y) = (pixel % Self.columns, pixel / Self.columns)
      return y * Self.regions.down / rows * Self.regions.across + x * Self.regions.across / Self.columns
    }
    let regions = 0..<Self.regions.across * Self.regions.down
    self.regionOfPixel = regionOfPixel
    pixelsOfRegion = regions.map { region in Float(regionOfPixel.count { $0 == region }) }
    limits = regions.map { _ in FlashLimit(step: Self.step) }
    if let before {
      before.lock.withLock { (limits, factor, follower) = (before.limits, before.factor, before.follower) }
    }
  }

  /// The factor of a frame's finished picture, 0…1. [any]
  public var brightness: Float { lock.withLock { factor } }

  /// Draws the newest frame and sets `brightness`. Sends it to the follower while it is below 1, and once when it is
  /// 1 again.
  public func advance() {
    guard let newest = scenes.compactMap(\.newest).max(by: { $0.number < $1.number }), newest.number != frame
    else { return }
    frame = newest.number
    draw()
    let time = newest.time
    let caps = lock.withLock { limits.map { $0.most(at: time, flashes: flashesPerSecond) } }
    let (factor, shown) = largest(within: caps)
    let handler = lock.withLock {
      for region in limits.indices { limits[region].note(shown[region], at: time) }
      let isNew = factor < 1 || self.factor < 1
      self.factor = factor
      return isNew ? follower : nil
    }
    handler?(StagePacket(brightness: factor, frame: newest.number, microseconds: newest.ended / 1000))
  }

  /// Draws the stage, and keeps its colors on black.
  private func draw() {
    canvas.begin(background: stage.background, picture: picture)
    EmitterScene.draw(scenes, on: canvas, &sprites) { materials in
      // A picture that was set after `init`. Marks them as tried, too.
      let new = materials.filter { tried.insert($0.contents).inserted }
      if !new.isEmpty { try? textures.read(new) }
    }
    canvas.end { pixels in
      colors.removeAll(keepingCapacity: true)
      for pixel in regionOfPixel.indices {
        let alpha = Int(pixels[4 * pixel + 3])
        for channel in 0..<3 { colors.append(UInt8((Int(pixels[4 * pixel + channel]) * alpha + 127) / 255)) }
      }
    }
  }

  /// The largest factor, in steps of 1/255, with which no region is lighter than its cap; and the light of the
  /// regions at that factor.
  private func largest(within caps: [Float]) -> (factor: Float, light: [Float]) {
    func fits(_ light: [Float]) -> Bool { zip(light, caps).allSatisfy { $0 <= $1 } }
    let whole = luminance(at: 1)
    if fits(whole) { return (1, whole) }
    var (low, high) = ((step: 0, light: luminance(at: 0)), 255)
    while high - low.step > 1 {
      let middle = (low.step + high) / 2
      let light = luminance(at: Float(middle) / 255)
      if fits(light) { low = (middle, light) } else { high = middle }
    }
    return (Float(low.step) / 255, low.light)
  }

  /// The mean relative luminance of each region, 0…1, with the colors multiplied by `factor`.
  private func luminance(at factor: Float) -> [Float] {
    let light = (0..<256).map { Self.linear(Float($0) / 255 * factor) }
    var sums = [Float](repeating: 0, count: pixelsOfRegion.count)
    for (pixel, region) in regionOfPixel.enumerated() {
      let red = light[Int(colors[3 * pixel])]
      let (green, blue) = (light[Int(colors[3 * pixel + 1])], light[Int(colors[3 * pixel + 2])])
      // Relative luminance (WCAG). A saturated red (R ≥ 0.8 of R + G + B) counts as much as white, as WCAG limits red
      // flashes separately.
      let isRed = red >= 0.8 * (red + green + blue)
      sums[region] += isRed ? red : 0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
    return zip(sums, pixelsOfRegion).map { $1 > 0 ? $0 / $1 : 0 }
  }

  /// Decodes an sRGB value to linear light, both 0…1 (IEC 61966-2-1).
  private static func linear(_ value: Float) -> Float {
    value <= 0.04045 ? value / 12.92 : powf((value + 0.055) / 1.055, 2.4)
  }

  /// Sets the handler that is given the brightness of each frame while it is below 1, and once when it is 1 again;
  /// nil removes it. It must not block, and may still run once after it was removed. [any]
  public func follow(_ handler: (@Sendable (StagePacket) -> Void)?) { lock.withLock { follower = handler } }

  /// None: the code that draws the stage reports its faults.
  public func takeMessages() -> [String] { [] }
}

extension StagePacket {
  /// The brightness of a frame, for all pages, whichever emitters they have.
  init(brightness: Float, frame: Int64, microseconds: UInt64) {
    var bytes: [UInt8] = []
    StageRecord.brightness.append(to: &bytes) { writer in
      var body = FrameBrightness()
      body.number = UInt32(truncatingIfNeeded: frame)
      body.microseconds = UInt32(truncatingIfNeeded: microseconds)
      body.factor = brightness
      body.code(&writer)
    }
    self.init(emitter: 0, audience: .following, bytes: bytes)
  }
}

extension CompiledPlan {
  /// The limiter of the stage; nil where the graph does not limit flashes.
  public var stageFlashes: StageFlashes? { sceneEnd as? StageFlashes }
}
