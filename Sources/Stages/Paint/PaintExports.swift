import Particles
import Rendering

// What a page calls that draws with the renderer itself.

nonisolated(unsafe) private let painter = PagePainter()

/// Makes a canvas of `width` × `height` pixels on which the stage begins at `x` and `y`, a point of it being `scale`
/// pixels; nothing is drawn outside of `left` ... `right`, `top` ... `bottom`.
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

/// Takes a picture that stands in the input: `address` bytes of its address, then its pixels, red green blue alpha, not
/// premultiplied. 0: it is broken.
@_expose(wasm, "vg_picture") @_cdecl("vg_picture")
func vgPicture(_ address: UInt32, _ width: Int32, _ height: Int32, _ bytes: UInt32) -> Int32 {
  let all = inputBytes(bytes)
  guard address <= UInt32(all.count) else { return 0 }
  let isTaken = painter.put(
    UnsafeRawBufferPointer(rebasing: all[..<Int(address)]), Int(width), Int(height),
    UnsafeRawBufferPointer(rebasing: all[Int(address)...]))
  return isTaken ? 1 : 0
}

/// Draws the rows from `first` to `last` - 1 over a background and, where the input has `cover` bytes of an address, a
/// picture; −1 of `emitter` and `channel` is all of them. Returns the pixels of the whole canvas.
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
