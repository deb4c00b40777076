/// Texels row by row, four floats each, multiplied with alpha.
struct PlainTexels {
  let columns: Int
  let rows: Int
  var floats: [Float]

  init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
    floats = [Float](repeating: 0, count: columns * rows * 4)
  }

  /// Half as wide and high, rounded up: each texel the mean of what lies under it.
  func halved() -> PlainTexels {
    PlainTexels(halving: columns, rows) { row, out in
      let width = columns * 4
      floats.withUnsafeBufferPointer { out.update(from: $0.baseAddress! + row * width, count: width) }
    }
  }

  /// Half of `columns` × `rows` texels that are fetched row by row, so that there is never room for all of them.
  init(halving columns: Int, _ rows: Int, fetch: (_ row: Int, _ out: UnsafeMutablePointer<Float>) -> Void) {
    let across = PlainTexels.shares(of: columns)
    let down = PlainTexels.shares(of: rows)
    self.init(columns: across.count, rows: down.count)
    let width = across.count * 4
    // A texel lies over three at most: so many rows wait, made narrow.
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
          PlainTexels.narrow(whole, across, into: narrow + fetched % 3 * width)
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

  /// Which of `count` texels lie under one of half as many, and how much of each.
  private struct Share {
    let first: Int
    let count: Int
    let parts: (Float, Float, Float)

    func part(_ i: Int) -> Float { i == 0 ? parts.0 : i == 1 ? parts.1 : parts.2 }
  }

  private static func shares(of count: Int) -> [Share] {
    guard count > 1 else { return [Share(first: 0, count: 1, parts: (1, 0, 0))] }
    let half = (count + 1) / 2
    // In whole numbers: texel i reaches from i × half to (i + 1) × half, its larger one from j × count to (j + 1) × count.
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

  /// The distance from the centre to the farthest place where samples between texels are not clear, when the texels
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

  /// Copies with one more column and row, equal to the last.
  func copyDoublingEdges(to out: UnsafeMutablePointer<Float>) {
    let stride = (columns + 1) * 4
    for row in 0...rows {
      let from = min(row, rows - 1) * columns * 4
      for i in 0..<columns * 4 { out[row * stride + i] = floats[from + i] }
      for k in 0..<4 { out[row * stride + columns * 4 + k] = floats[from + (columns - 1) * 4 + k] }
    }
  }
}
