import Particles
import Rendering

/// Draws a page's stage as the renderer draws films, some rows of it. [one]
final class PagePainter {
  /// Pixels of a tile across and down: small enough to share rows out among a page's threads.
  static let tileSide = 64

  private let textures = Textures()
  private var canvas: Canvas?
  private var pictures: [(address: [UInt8], picture: Picture)] = []
  private var sprites: [Sprite] = []

  /// Makes a canvas; 0 pixels or too many make none.
  func resize(_ width: Int, _ height: Int, _ viewport: Viewport, clips: Bool) {
    canvas = nil
    guard (1...Canvas.most).contains(width), (1...Canvas.most).contains(height) else { return }
    canvas = Canvas(
      width: width, height: height, viewport: viewport, textures: textures,
      toneMapping: clips ? .clip : .soft, threads: 1, tileSide: Self.tileSide)
  }

  /// Keeps a picture under an address. False where its size is not that of its pixels.
  func put(_ address: UnsafeRawBufferPointer, _ width: Int, _ height: Int, _ pixels: UnsafeRawBufferPointer)
    -> Bool
  {
    guard width > 0, height > 0, width <= Picture.most, height <= Picture.most,
      pixels.count == width * height * 4
    else { return false }
    let picture = Picture(width: width, height: height, pixels: Array(pixels))
    textures.put(picture, as: String(decoding: address, as: UTF8.self))
    pictures.append((Array(address), picture))
    return true
  }

  /// Draws the tiles that the rows lie in; lends the pixels of all rows, red green blue alpha. `emitter` and `channel`
  /// choose what is drawn alone; `nil` is all.
  func paint(
    _ stage: PageStage, _ background: Color, cover: UnsafeRawBufferPointer, emitter: UInt16?, channel: Int?,
    rows: Range<Int>
  ) -> UnsafeRawBufferPointer? {
    guard let canvas else { return nil }
    let address = Array(cover)
    canvas.begin(background: background, picture: pictures.last { $0.address == address }?.picture)
    for place in stage.placesInOrder {
      if let emitter, place.emitter != emitter { continue }
      if let channel, place.channel != channel { continue }
      sprites.removeAll(keepingCapacity: true)
      place.system.appendSprites(to: &sprites)
      if sprites.isEmpty { continue }
      canvas.draw(sprites, materials: place.system.materials, mode: place.system.layer.renderMode)
    }
    return canvas.end(rows: rows)
  }
}
