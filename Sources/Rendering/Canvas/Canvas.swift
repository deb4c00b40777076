import CRendering
public import Particles

/// Draws sprites into pixels, on all cores. [one]
///
/// Colors are composed as sRGB writes them, which is what Core Animation does, premultiplied by alpha, in floats. The
/// same sprites give the same bytes with any number of threads, on any processor and in any build.
public final class Canvas {
  /// The most pixels across or down.
  public static let most = 16384

  /// Pixels across.
  public let width: Int
  /// Pixels down.
  public let height: Int
  /// Where the stage lies.
  let viewport: Viewport
  let textures: Textures
  let toneMapping: ToneMapping
  let threads: Int
  /// Pixels of a tile across and down. The result does not depend on it.
  let tileSide: Int
  /// Pixels from row to row of a tile: the kernels take them in pairs.
  var tileStride: Int { tileSide + tileSide % 2 }

  var background: (red: Float, green: Float, blue: Float, alpha: Float) = (0, 0, 0, 1)
  /// What was drawn since the picture began, in order.
  var sprites: [vg_sprite] = []
  var mipLevels: [vg_mip_level] = []
  /// Keeps texels while levels point to them.
  var used: [Texture] = []
  var backdrop: (picture: Picture, texture: Texture)?
  let bytes: UnsafeMutableRawBufferPointer
  /// Two tiles of floats for each thread: what sprites cover, and the light on it.
  let floats: UnsafeMutablePointer<Float>

  /// A canvas of `width` × `height` pixels, 1…`most` each, that shows a stage of `stage` points, as large as fits and in
  /// the middle; beyond the stage there is only background. Without `threads`, as many as there are processors.
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

  /// A canvas on which the stage lies as told, which may be a part of it.
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

  /// Begins a picture: the background everywhere, which may be clear. A picture covers the stage: as large as it must be
  /// and in the middle, what stands over is cut off.
  public func begin(background: Color, picture: Picture? = nil) {
    sprites.removeAll(keepingCapacity: true)
    mipLevels.removeAll(keepingCapacity: true)
    used.removeAll(keepingCapacity: true)
    let alpha = Self.part(background.alpha)
    self.background = (
      Self.part(background.red) * alpha, Self.part(background.green) * alpha,
      Self.part(background.blue) * alpha, alpha
    )
    if let picture { cover(with: picture) } else { backdrop = nil }
  }

  /// Draws the sprites of one layer over what is there, in their order: `additive` adds their light, all other modes lay
  /// each over those before. What is no number is not drawn, colors are kept within 0…1.
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

  /// Ends the picture and lends its pixels: row by row from the top, four bytes each, red green blue alpha as sRGB, not
  /// premultiplied by alpha. They stay until the next `end`.
  public func end<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    drawTiles(0..<height)
    return try body(UnsafeRawBufferPointer(bytes))
  }

  /// Ends the picture of some rows alone, and lends the pixels of all: those of other rows mean nothing.
  package func end(rows: Range<Int>) -> UnsafeRawBufferPointer {
    drawTiles(rows.clamped(to: 0..<height))
    return UnsafeRawBufferPointer(bytes)
  }

  /// A color or alpha within 0…1.
  static func part(_ value: Double) -> Float { value > 0 ? Float(min(value, 1)) : 0 }
}

/// Where the points of a stage lie on a canvas: as large as fits, in the middle.
package struct Viewport {
  /// Pixels to a point.
  let scale: Double
  /// The pixel place of the stage's top left corner.
  let x: Double
  let y: Double
  /// The pixels of the stage, or of the part of it that is shown; sprites are drawn nowhere else.
  let columns: Range<Int>
  let rows: Range<Int>

  /// A place of one's own.
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

  private static func pixels(_ from: Double, _ length: Double, _ count: Int) -> Range<Int> {
    let first = max(0, min(count, Int(from.rounded())))
    return first..<max(first, min(count, Int((from + length).rounded())))
  }
}
