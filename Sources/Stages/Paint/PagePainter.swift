import Particles
import Rendering

/// Draws a page's stage by the renderer that films use, a range of rows at a time. [one]
final class PagePainter {
  /// The side of a tile in pixels. It is small, so that the rows can be divided among a page's threads.
  static let tileSide = 64

  private let textures = Textures()
  private var canvas: Canvas?
  private var pictures: [(address: [UInt8], picture: Picture)] = []
  private var sprites: [Sprite] = []

  /// Replaces the canvas. There is none if the width or height is 0 or too large.
  func resize(_ width: Int, _ height: Int, _ viewport: Viewport, clips: Bool) {
    canvas = nil
    guard (1...Canvas.most).contains(width), (1...Canvas.most).contains(height) else { return }
    canvas = Canvas(
      width: width, height: height, viewport: viewport, textures: textures,
      toneMapping: clips ? .clip : .soft, threads: 1, tileSide: Self.tileSide)
  }

  /// Stores a picture under an address. False if its size does not match its pixels.
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

  /// Draws the tiles that overlap `rows`. Returns the RGBA pixels of the whole canvas, of which other rows are
  /// undefined. `cover`: the address of the picture below the sprites; empty for none. `emitter` and `channel`, if not
  /// nil, limit what is drawn to that emitter or channel.
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

// The functions for pages that draw by the renderer and not by the browser's graphics.

nonisolated(unsafe) private let painter = PagePainter()

/// Makes a canvas of `width` × `height` pixels. The stage begins at pixel `x`, `y` with `scale` pixels per point, and
/// is clipped to `left` … `right` and `top` … `bottom`.
@_expose(wasm, "vg_canvas") @_cdecl("vg_canvas")
func vgCanvas(
  _ width: Int32, _ height: Int32, _ x: Double, _ y: Double, _ scale: Double, _ left: Int32, _ right: Int32,
  _ top: Int32, _ bottom: Int32, _ clips: Int32
) {
  let viewport = Viewport(
    scale: scale, x: x, y: y, columns: Int(left)..<Int(max(left, right)),
    rows: Int(top)..<Int(max(top, bottom)))
  painter.resize(Int(width), Int(height), viewport, clips: clips != 0)
}

/// Stores a picture from the input: `address` bytes of its address, then its RGBA pixels, not premultiplied. Returns
/// 0 if they are invalid, else 1.
@_expose(wasm, "vg_picture") @_cdecl("vg_picture")
func vgPicture(_ address: UInt32, _ width: Int32, _ height: Int32, _ bytes: UInt32) -> Int32 {
  let all = inputBytes(bytes)
  guard address <= UInt32(all.count) else { return 0 }
  let isTaken = painter.put(
    UnsafeRawBufferPointer(rebasing: all[..<Int(address)]), Int(width), Int(height),
    UnsafeRawBufferPointer(rebasing: all[Int(address)...]))
  return isTaken ? 1 : 0
}

/// Draws rows `first` … `last` − 1 over a background and, if the input has `cover` bytes of an address, over a
/// picture. `emitter` or `channel` of −1 draws all. Returns the pixels of the whole canvas.
@_expose(wasm, "vg_paint") @_cdecl("vg_paint")
func vgPaint(
  _ red: Double, _ green: Double, _ blue: Double, _ alpha: Double, _ cover: UInt32, _ emitter: Int32,
  _ channel: Int32, _ first: Int32, _ last: Int32
) -> UnsafeRawPointer? {
  painter.paint(
    stage, Color(red: red, green: green, blue: blue, alpha: alpha), cover: inputBytes(cover),
    emitter: emitter < 0 ? nil : UInt16(clamping: emitter), channel: channel < 0 ? nil : Int(channel),
    rows: Int(first)..<Int(max(first, last)))?.baseAddress
}
