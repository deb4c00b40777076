import CRendering
import Particles

/// A picture, or a part of one, in all the sizes it is drawn in: every one half as wide and high as the one before, down
/// to a single texel. Texels are floats multiplied with alpha, so that clear ones never colour their neighbours.
final class Texture: @unchecked Sendable {
  /// One size.
  struct Level {
    /// The first float of the first texel.
    let start: Int
    let columns: Int
    let rows: Int
    /// Pixels of the picture from its centre to the farthest place that is not clear.
    let reach: Float

    /// Texels from row to row: the last stands doubled, for sampling between neighbours.
    var stride: Int { columns + 1 }
    var floats: Int { (columns + 1) * (rows + 1) * 4 }
  }

  /// The most texels of one size: a larger picture begins with a half of it.
  static let most = 1 << 23

  /// Pixels of the picture across that it shows.
  let width: Int
  /// Pixels of the picture down that it shows.
  let height: Int
  let levels: [Level]
  let texels: UnsafeMutablePointer<Float>

  /// A part of a picture, which must lie inside it.
  convenience init(_ picture: Picture, _ part: PixelRect) {
    let plain: PlainTexels
    if part.width * part.height > Self.most {
      plain = PlainTexels(halving: part.width, part.height) { row, out in
        Self.copy(row, of: picture, part, to: out)
      }
    } else {
      var texels = PlainTexels(columns: part.width, rows: part.height)
      texels.floats.withUnsafeMutableBufferPointer { out in
        for row in 0..<part.height {
          Self.copy(row, of: picture, part, to: out.baseAddress! + row * part.width * 4)
        }
      }
      plain = texels
    }
    self.init(plain, width: part.width, height: part.height)
  }

  /// A row of a part, multiplied with alpha.
  private static func copy(
    _ row: Int, of picture: Picture, _ part: PixelRect, to out: UnsafeMutablePointer<Float>
  ) {
    picture.pixels.withUnsafeBufferPointer { bytes in
      var from = ((part.y + row) * picture.width + part.x) * 4
      var to = 0
      for _ in 0..<part.width {
        let alpha = Float(bytes[from + 3]) / 255
        out[to] = Float(bytes[from]) / 255 * alpha
        out[to + 1] = Float(bytes[from + 1]) / 255 * alpha
        out[to + 2] = Float(bytes[from + 2]) / 255 * alpha
        out[to + 3] = alpha
        from += 4
        to += 4
      }
    }
  }

  /// Makes all sizes of the first one.
  init(_ first: PlainTexels, width: Int, height: Int) {
    self.width = width
    self.height = height
    var plain = first
    while plain.columns * plain.rows > Self.most { plain = plain.halved() }
    var sizes = [(plain.columns, plain.rows)]
    while sizes.last! != (1, 1) { sizes.append(((sizes.last!.0 + 1) / 2, (sizes.last!.1 + 1) / 2)) }
    let count = sizes.reduce(0) { $0 + ($1.0 + 1) * ($1.1 + 1) * 4 }
    texels = .allocate(capacity: count)
    texels.initialize(repeating: 0, count: count)
    var levels: [Level] = []
    var start = 0
    for index in sizes.indices {
      if index > 0 { plain = plain.halved() }
      let reach = plain.reach(width: Float(width), height: Float(height))
      let level = Level(start: start, columns: plain.columns, rows: plain.rows, reach: reach)
      plain.copyDoublingEdges(to: texels + start)
      start += level.floats
      levels.append(level)
    }
    self.levels = levels
  }

  deinit { texels.deallocate() }

  /// The built-in light, as pixels: four texels each way for each, drawn only where its formula does not serve.
  static let soft: Texture = {
    let side = 128
    var plain = PlainTexels(columns: side, rows: side)
    for row in 0..<side {
      for column in 0..<side {
        let (x, y) = ((Float(column) - 63.5) / 64, (Float(row) - 63.5) / 64)
        let light = vg_soft_light(x * x + y * y)
        for k in 0..<4 { plain.floats[(row * side + column) * 4 + k] = light }
      }
    }
    return Texture(plain, width: Contents.softSize, height: Contents.softSize)
  }()
}

/// Whole pixels of a picture.
struct PixelRect: Hashable {
  var x: Int
  var y: Int
  var width: Int
  var height: Int
}
