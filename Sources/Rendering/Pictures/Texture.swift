import CRendering
import Particles

/// A picture, or a part of one, as a mipmap: every level is half as wide and high as the one before, down to a single
/// texel. Texels are floats premultiplied by alpha, so that transparent texels do not bleed color into their
/// neighbors.
final class Texture: @unchecked Sendable {
  /// One level of the mipmap.
  struct MipLevel {
    /// The offset of its first float in `texels`.
    let start: Int
    let columns: Int
    let rows: Int
    /// The distance from the center to the farthest texel that is not transparent, in pixels of the picture.
    let reach: Float

    /// Texels per row. Each row and column repeats its last texel, so that bilinear sampling stays in bounds.
    var stride: Int { columns + 1 }
    var floats: Int { (columns + 1) * (rows + 1) * 4 }
  }

  /// The most texels of a level. A larger picture starts at half its size.
  static let most = 1 << 23

  /// The width of the part that it shows, in pixels of the picture.
  let width: Int
  /// The height of the part that it shows, in pixels of the picture.
  let height: Int
  let mipLevels: [MipLevel]
  let texels: UnsafeMutablePointer<Float>

  /// Makes the texture of a part of a picture, which must lie inside it.
  convenience init(_ picture: Picture, _ part: PixelRect) {
    let plain: TexelBuffer
    if part.width * part.height > Self.most {
      plain = TexelBuffer(halving: part.width, part.height) { row, out in
        Self.copy(row, of: picture, part, to: out)
      }
    } else {
      var texels = TexelBuffer(columns: part.width, rows: part.height)
      texels.floats.withUnsafeMutableBufferPointer { out in
        for row in 0..<part.height {
          Self.copy(row, of: picture, part, to: out.baseAddress! + row * part.width * 4)
        }
      }
      plain = texels
    }
    self.init(plain, width: part.width, height: part.height)
  }

  /// Copies a row of a part, premultiplied by alpha.
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

  /// Makes all levels from the first one.
  init(_ first: TexelBuffer, width: Int, height: Int) {
    self.width = width
    self.height = height
    var plain = first
    while plain.columns * plain.rows > Self.most { plain = plain.halved() }
    var sizes = [(plain.columns, plain.rows)]
    while sizes.last! != (1, 1) { sizes.append(((sizes.last!.0 + 1) / 2, (sizes.last!.1 + 1) / 2)) }
    let count = sizes.reduce(0) { $0 + ($1.0 + 1) * ($1.1 + 1) * 4 }
    texels = .allocate(capacity: count)
    texels.initialize(repeating: 0, count: count)
    var mipLevels: [MipLevel] = []
    var start = 0
    for index in sizes.indices {
      if index > 0 { plain = plain.halved() }
      let reach = plain.reach(width: Float(width), height: Float(height))
      let level = MipLevel(start: start, columns: plain.columns, rows: plain.rows, reach: reach)
      plain.copyDoublingEdges(to: texels + start)
      start += level.floats
      mipLevels.append(level)
    }
    self.mipLevels = mipLevels
  }

  deinit { texels.deallocate() }

  /// The built-in light as texels, for where its formula does not apply, such as a part of it.
  static let soft: Texture = {
    let side = Contents.softTexels * Contents.softSize
    let radius = Float(side) / 2
    var plain = TexelBuffer(columns: side, rows: side)
    for row in 0..<side {
      for column in 0..<side {
        let (x, y) = ((Float(column) + 0.5 - radius) / radius, (Float(row) + 0.5 - radius) / radius)
        let light = vg_light_profile(x * x + y * y)
        for k in 0..<4 { plain.floats[(row * side + column) * 4 + k] = light }
      }
    }
    return Texture(plain, width: Contents.softSize, height: Contents.softSize)
  }()
}

/// A rectangle of whole pixels in a picture.
struct PixelRect: Hashable {
  var x: Int
  var y: Int
  var width: Int
  var height: Int
}

/// Texels row by row, of four floats each, premultiplied by alpha.
struct TexelBuffer {
  let columns: Int
  let rows: Int
  var floats: [Float]

  init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
    floats = [Float](repeating: 0, count: columns * rows * 4)
  }

  /// Half the width and height, rounded up. Each texel is the mean of those that it covers.
  func halved() -> TexelBuffer {
    TexelBuffer(halving: columns, rows) { row, out in
      let width = columns * 4
      floats.withUnsafeBufferPointer { out.update(from: $0.baseAddress! + row * width, count: width) }
    }
  }

  /// Halves `columns` × `rows` texels that `fetch` delivers row by row, so that they need not all be in memory.
  init(halving columns: Int, _ rows: Int, fetch: (_ row: Int, _ out: UnsafeMutablePointer<Float>) -> Void) {
    let across = TexelBuffer.shares(of: columns)
    let down = TexelBuffer.shares(of: rows)
    self.init(columns: across.count, rows: down.count)
    let width = across.count * 4
    // A halved texel covers at most three rows. They wait here, already halved in width.
    let narrow = UnsafeMutablePointer<Float>.allocate(capacity: 3 * width)
    let whole = UnsafeMutablePointer<Float>.allocate(capacity: columns * 4)
    defer {
      narrow.deallocate()
      whole.deallocate()
    }
    var fetched = 0
    floats.withUnsafeMutableBufferPointer { out in
      for (row, share) in down.enumerated() {
        while fetched < share.first + share.count {
          fetch(fetched, whole)
          TexelBuffer.narrow(whole, across, into: narrow + fetched % 3 * width)
          fetched += 1
        }
        for place in 0..<width {
          var sum: Float = 0
          for i in 0..<share.count { sum += narrow[(share.first + i) % 3 * width + place] * share.part(i) }
          out[row * width + place] = sum
        }
      }
    }
  }

  private static func narrow(
    _ whole: UnsafeMutablePointer<Float>, _ across: [Share], into narrow: UnsafeMutablePointer<Float>
  ) {
    for (column, share) in across.enumerated() {
      for k in 0..<4 {
        var sum: Float = 0
        for i in 0..<share.count { sum += whole[(share.first + i) * 4 + k] * share.part(i) }
        narrow[column * 4 + k] = sum
      }
    }
  }

  /// The texels that one texel of half the resolution covers, with their weights.
  private struct Share {
    let first: Int
    let count: Int
    let parts: (Float, Float, Float)

    func part(_ i: Int) -> Float { i == 0 ? parts.0 : i == 1 ? parts.1 : parts.2 }
  }

  private static func shares(of count: Int) -> [Share] {
    guard count > 1 else { return [Share(first: 0, count: 1, parts: (1, 0, 0))] }
    let half = (count + 1) / 2
    // In integers: texel i covers i × half … (i + 1) × half, and halved texel j covers j × count … (j + 1) × count.
    return (0..<half).map { j in
      let (low, high) = (j * count, (j + 1) * count)
      let first = low / half
      let last = (high - 1) / half
      let parts = (first...last).map { i in
        Float(min(high, (i + 1) * half) - max(low, i * half)) / Float(count)
      }
      return Share(
        first: first, count: parts.count,
        parts: (parts[0], parts.count > 1 ? parts[1] : 0, parts.count > 2 ? parts[2] : 0))
    }
  }

  /// The distance from the center to the farthest place where a bilinear sample is not transparent, if the texels
  /// cover `width` × `height`.
  func reach(width: Float, height: Float) -> Float {
    let (across, down) = (width / Float(columns), height / Float(rows))
    var farthest: Float = 0
    for row in 0..<rows {
      for column in 0..<columns where floats[(row * columns + column) * 4 + 3] != 0 {
        let x = ((Float(column) - Float(columns - 1) / 2).magnitude + 1) * across
        let y = ((Float(row) - Float(rows - 1) / 2).magnitude + 1) * down
        farthest = max(farthest, x * x + y * y)
      }
    }
    return farthest.squareRoot()
  }

  /// Copies the texels, with the last column and row repeated.
  func copyDoublingEdges(to out: UnsafeMutablePointer<Float>) {
    let stride = (columns + 1) * 4
    for row in 0...rows {
      let from = min(row, rows - 1) * columns * 4
      for i in 0..<columns * 4 { out[row * stride + i] = floats[from + i] }
      for k in 0..<4 { out[row * stride + columns * 4 + k] = floats[from + (columns - 1) * 4 + k] }
    }
  }
}
