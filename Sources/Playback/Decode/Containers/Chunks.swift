/// The chunks of a RIFF, AIFF or CAF file one after the other, as far as they lie in the file. [one]
struct Chunks: Sequence, IteratorProtocol {
  /// A chunk: four letters and the bytes it holds.
  struct Chunk {
    let name: String
    /// Where its contents begin.
    let start: Int64
    /// The bytes of its contents that are there.
    let count: Int64
  }

  /// How the sizes are written.
  enum Order {
    /// RIFF: four bytes, least significant first.
    case little
    /// AIFF: four bytes, most significant first.
    case big
    /// CAF: eight bytes, most significant first; no padding.
    case wide
  }

  private let file: RegularFile
  private let order: Order
  private var place: Int64
  /// Real files have a few dozens.
  private var left = 1000

  init(of file: RegularFile, from start: Int64, order: Order) {
    self.file = file
    self.order = order
    place = start
  }

  mutating func next() -> Chunk? {
    let header = file.bytes(at: place, count: order == .wide ? 12 : 8)
    let size =
      switch order {
      case .little: header.little(4, 4)
      case .big: header.big(4, 4)
      case .wide: header.big(4, 8)
      }
    guard left > 0, let size else { return nil }
    left -= 1
    let start = place + Int64(header.count)
    // CAF writes -1 for "to the end"; anything that leads beyond the end is taken the same way.
    let count = Swift.min(Int64(exactly: size) ?? .max, file.size - start)
    place = start + count + (order == .wide ? 0 : count & 1)
    return Chunk(name: header.letters(0), start: start, count: count)
  }
}
