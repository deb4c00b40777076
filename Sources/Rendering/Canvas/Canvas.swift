import CRendering
public import Particles

/// Draws sprites into pixels, on all cores. [one]
///
/// Colors are blended in sRGB encoding (as Core Animation does), premultiplied by alpha, in floats. The same sprites
/// give the same bytes with any number of threads, on any processor and in any build.
public final class Canvas {
  /// The largest width or height in pixels.
  public static let most = 16384

  /// Pixels across.
  public let width: Int
  /// Pixels down.
  public let height: Int
  /// The position and scale of the stage.
  let viewport: Viewport
  let textures: Textures
  let toneMapping: ToneMapping
  let threads: Int
  /// The side of a tile in pixels. The result does not depend on it.
  let tileSide: Int
  /// Pixels per row of a tile: an even number, because the kernels take pixels in pairs.
  var tileStride: Int { tileSide + tileSide % 2 }

  var background: (red: Float, green: Float, blue: Float, alpha: Float) = (0, 0, 0, 1)
  /// The sprites drawn since `begin`, in order.
  var sprites: [vg_sprite] = []
  var mipLevels: [vg_mip_level] = []
  /// The textures of `mipLevels`, which point to their texels: kept alive until the next `begin`.
  var used: [Texture] = []
  /// The picture that covers the stage, with its texture.
  var backdrop: (picture: Picture, texture: Texture)?
  /// The pixels, four bytes each.
  let bytes: UnsafeMutableRawBufferPointer
  /// Two layers of a tile for each thread, four floats per pixel: `base` and `light` of `vg_tile`.
  let floats: UnsafeMutablePointer<Float>

  /// Makes a canvas of `width` × `height` pixels, 1…`most` each. It shows a stage of `stage` points, centered and as
  /// large as fits, with background around it. `threads` defaults to the number of processors.
  public convenience init(
    width: Int, height: Int, stage: Size, textures: Textures, toneMapping: ToneMapping = .soft,
    threads: Int? = nil
  ) {
    self.init(
      width: width, height: height, stage: stage, textures: textures, toneMapping: toneMapping,
      threads: threads ?? min(ParallelFor.processors, 32), tileSide: 128)
  }

  convenience init(
    width: Int, height: Int, stage: Size, textures: Textures, toneMapping: ToneMapping, threads: Int,
    tileSide: Int
  ) {
    self.init(
      width: width, height: height, viewport: Viewport(stage, width: width, height: height),
      textures: textures,
      toneMapping: toneMapping, threads: threads, tileSide: tileSide)
  }

  /// Makes a canvas with a viewport of its own, which may show a part of the stage.
  package init(
    width: Int, height: Int, viewport: Viewport, textures: Textures, toneMapping: ToneMapping, threads: Int,
    tileSide: Int
  ) {
    precondition((1...Self.most).contains(width) && (1...Self.most).contains(height))
    self.width = width
    self.height = height
    self.viewport = viewport
    self.textures = textures
    self.toneMapping = toneMapping
    self.threads = max(1, min(threads, 256))
    self.tileSide = tileSide
    bytes = .allocate(byteCount: width * height * 4, alignment: 64)
    let floatCount = self.threads * tileSide * (tileSide + tileSide % 2) * 8
    floats = UnsafeMutableRawPointer.allocate(
      byteCount: floatCount * MemoryLayout<Float>.stride, alignment: 64
    ).bindMemory(to: Float.self, capacity: floatCount)
  }

  deinit {
    bytes.deallocate()
    UnsafeMutableRawPointer(floats).deallocate()
  }

  /// Begins a picture with the background, which may be transparent. `picture` is scaled to cover the stage, centered
  /// and cropped.
  public func begin(background: Color, picture: Picture? = nil) {
    sprites.removeAll(keepingCapacity: true)
    mipLevels.removeAll(keepingCapacity: true)
    used.removeAll(keepingCapacity: true)
    let alpha = Self.clamp01(background.alpha)
    self.background = (
      Self.clamp01(background.red) * alpha, Self.clamp01(background.green) * alpha,
      Self.clamp01(background.blue) * alpha, alpha
    )
    if let picture { cover(with: picture) } else { backdrop = nil }
  }

  /// Draws the sprites of one layer in their order. Mode `.additive` adds their light; all other modes blend each
  /// sprite over the earlier ones. Sprites whose position is not finite are skipped, and colors are clamped to 0…1.
  public func draw(_ sprites: [Sprite], materials: [SpriteMaterial], mode: RenderMode) {
    let shown = materials.map { material in
      let shown = CanvasMaterial(material, textures: textures, firstMipLevel: mipLevels.count)
      mipLevels.append(contentsOf: shown.mipLevels)
      if let texture = shown.texture { used.append(texture) }
      return shown
    }
    self.sprites.reserveCapacity(self.sprites.count + sprites.count)
    for sprite in sprites where shown.indices.contains(Int(sprite.material)) {
      let material = shown[Int(sprite.material)]
      if let placed = place(sprite, material, adds: mode == .additive) { self.sprites.append(placed) }
    }
  }

  /// Ends the picture and lends its pixels until the next `end`. They come row by row from the top, four bytes each:
  /// red, green, blue, alpha in sRGB, not premultiplied.
  public func end<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    drawTiles(0..<height)
    return try body(UnsafeRawBufferPointer(bytes))
  }

  /// Ends the picture, but draws only `rows`. The buffer has all rows; the others are undefined.
  package func end(rows: Range<Int>) -> UnsafeRawBufferPointer {
    drawTiles(rows.clamped(to: 0..<height))
    return UnsafeRawBufferPointer(bytes)
  }

  /// Clamps a color component or alpha to 0…1.
  static func clamp01(_ value: Double) -> Float { value > 0 ? Float(min(value, 1)) : 0 }
}

/// The mapping from points of a stage to pixels of a canvas.
package struct Viewport {
  /// Pixels per point.
  let scale: Double
  /// The top left corner of the stage, in pixels.
  let x: Double
  let y: Double
  /// The pixels of the stage, or of its visible part. Sprites are clipped to them.
  let columns: Range<Int>
  let rows: Range<Int>

  /// Makes a viewport.
  package init(scale: Double, x: Double, y: Double, columns: Range<Int>, rows: Range<Int>) {
    (self.scale, self.x, self.y) = (scale, x, y)
    (self.columns, self.rows) = (columns, rows)
  }

  init(_ stage: Size, width: Int, height: Int) {
    let usable = stage.width.isFinite && stage.height.isFinite && stage.width > 0 && stage.height > 0
    let stage = usable ? stage : Size(width: Double(width), height: Double(height))
    scale = min(Double(width) / stage.width, Double(height) / stage.height)
    let (across, down) = (stage.width * scale, stage.height * scale)
    x = (Double(width) - across) / 2
    y = (Double(height) - down) / 2
    columns = Self.pixels(x, across, width)
    rows = Self.pixels(y, down, height)
  }

  /// The pixels that a length from `from` on covers, rounded, among `count` pixels.
  private static func pixels(_ from: Double, _ length: Double, _ count: Int) -> Range<Int> {
    let first = max(0, min(count, Int(from.rounded())))
    return first..<max(first, min(count, Int((from + length).rounded())))
  }
}
