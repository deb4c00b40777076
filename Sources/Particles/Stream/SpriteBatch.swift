/// The sprites of one channel, which are drawn together. A page reads it in the module's memory: the fields lie there
/// as `code` walks them.
package struct SpriteBatch: Sendable {
  /// The emitter's number in the stream.
  package var emitter: UInt32
  /// From 0.
  package var channel: UInt32
  /// The index of the render mode in `RenderMode.allCases`.
  package var mode: UInt32
  /// The index of its first sprite.
  package var first: UInt32
  /// How many sprites it has.
  package var count: UInt32
  /// The index of its first material among those of all channels.
  package var material: UInt32
  /// How many materials it has.
  package var materials: UInt32

  /// Makes a batch.
  package init(
    emitter: UInt32 = 0, channel: UInt32 = 0, mode: UInt32 = 0, first: UInt32 = 0, count: UInt32 = 0,
    material: UInt32 = 0, materials: UInt32 = 0
  ) {
    (self.emitter, self.channel, self.mode) = (emitter, channel, mode)
    (self.first, self.count) = (first, count)
    (self.material, self.materials) = (material, materials)
  }

  package mutating func code<C: ByteCoder>(_ coder: inout C) {
    coder.code("emitter", &emitter)
    coder.code("channel", &channel)
    coder.code("mode", &mode)
    coder.code("first", &first)
    coder.code("count", &count)
    coder.code("material", &material)
    coder.code("materials", &materials)
  }
}

extension SpriteMaterial {
  /// Writes what a page has to know to draw with it.
  package mutating func code<C: ByteCoder>(_ coder: inout C) {
    var (kind, picture) = (contents.kind, "")
    if case .file(let path) = contents { picture = path }
    coder.code("contents", choice: &kind)
    coder.code("picture", &picture)
    coder.code("x", &rect.x)
    coder.code("y", &rect.y)
    coder.code("width", &rect.width)
    coder.code("height", &rect.height)
    coder.code("scale", &contentsScale)
    coder.code("bias", &minificationBias)
    coder.code("minification", choice: &minification)
    coder.code("magnification", choice: &magnification)
  }
}
