import System

/// The chunks of a RIFF, AIFF, CAF or W64 file one after the other, as far as they lie in the file. [one]
struct Chunks: Sequence, IteratorProtocol {
  /// A chunk: four letters and the bytes it holds.
  struct Chunk {
    let name: String
    /// Where its contents begin.
    let start: Int64
    /// The bytes of its contents that are there.
    let count: Int64
    /// The bytes that it says it has.
    let stated: UInt64
  }

  /// How the sizes are written.
  enum Order {
    /// RIFF: four bytes, least significant first.
    case little
    /// AIFF: four bytes, most significant first.
    case big
    /// CAF: eight bytes, most significant first; no padding.
    case wide
    /// W64: eight bytes behind a name of sixteen, least significant first, that count name and size; filled up to eight.
    case sony
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
    let header = file.bytes(at: place, count: order == .wide ? 12 : order == .sony ? 24 : 8)
    let size =
      switch order {
      case .little: header.little(4, 4)
      case .big: header.big(4, 4)
      case .wide: header.big(4, 8)
      case .sony: header.little(16, 8).flatMap { $0 < 24 ? nil : $0 - 24 }
      }
    guard left > 0, let size else { return nil }
    left -= 1
    let start = place + Int64(header.count)
    // CAF writes -1 for "to the end"; anything that leads beyond the end is taken the same way.
    let count = Swift.min(Int64(exactly: size) ?? .max, file.size - start)
    let odd: Int64 = order == .wide ? 0 : order == .sony ? -count & 7 : count & 1
    place = start + count + odd
    return Chunk(name: header.letters(0), start: start, count: count, stated: size)
  }
}

/// What a CAF file says of its length: which of the decoded samples are to be heard. [one]
///
/// FFmpeg leaves this aside. The numbers stand at the head of the chunk `pakt`, or follow from the size of the data.
struct CafTable: Equatable {
  /// Samples per channel before the first that is heard.
  var start: Int64 = 0
  /// Samples per channel that are heard; nil where the file does not say.
  var count: Int64?

  /// Whether `count` is that of whole packets only, the last of which may be shorter.
  var isOfWholePackets = false

  /// The most packets of a table.
  static let mostPackets: UInt64 = 2_700_000

  init(start: Int64 = 0, count: Int64? = nil) {
    self.start = start
    self.count = count
  }

  /// Reads the chunks; nil where a table has more packets than there may be.
  init?(of file: RegularFile) {
    var (bytesPerPacket, framesPerPacket): (UInt64, UInt64) = (0, 0)
    var bytes: Int64 = 0
    for chunk in Chunks(of: file, from: 8, order: .wide) {
      switch chunk.name {
      case "desc":
        let description = file.bytes(at: chunk.start, count: 32)
        bytesPerPacket = description.big(16, 4) ?? 0
        framesPerPacket = description.big(20, 4) ?? 0
      // Four bytes in front of the data count edits.
      case "data": bytes = max(0, chunk.count - 4)
      case "pakt":
        let head = file.bytes(at: chunk.start, count: 24)
        guard let packets = head.big(0, 8), let valid = head.big(8, 8), let priming = head.big(16, 4) else {
          continue
        }
        guard packets <= CafTable.mostPackets else { return nil }
        // Ten seconds of priming are far more than any encoder's.
        if let valid = Int64(exactly: valid), (1..<AudioFormat.mostFrames).contains(valid), priming < 480_000
        {
          start = Int64(priming)
          count = valid
          isOfWholePackets =
            packets.multipliedReportingOverflow(by: framesPerPacket).partialValue == UInt64(valid)
          return
        }
      default: break
      }
    }
    if bytesPerPacket > 0, framesPerPacket > 0 {
      let packets = bytes / Int64(bytesPerPacket)
      let product = packets.multipliedReportingOverflow(by: Int64(framesPerPacket))
      if !product.overflow, (1..<AudioFormat.mostFrames).contains(product.partialValue) {
        count = product.partialValue
      }
    }
  }
}

/// What a W64 file says of its sound, which libsndfile reads wrongly in two cases: it takes the chunks behind the sound for
/// sound, and floats in the extensible form for whole numbers. [any]
struct W64Head {
  /// Samples per channel, as far as they are there.
  private(set) var frames: Int64 = 0
  /// Whether it holds floats in the extensible form.
  private(set) var isExtensibleFloat = false

  /// How W64 begins.
  static let sign: [UInt8] = [0x72, 0x69, 0x66, 0x66, 0x2E, 0x91]

  /// Reads the chunks; nil where it is another file, or has no sound behind its form.
  init?(of file: RegularFile) {
    guard file.bytes(at: 0, count: 6) == W64Head.sign else { return nil }
    var bytesPerFrame: Int64 = 0
    for chunk in Chunks(of: file, from: 40, order: .sony) {
      switch chunk.name {
      case "fmt ":
        let form = file.bytes(at: chunk.start, count: 26)
        bytesPerFrame = form.little(12, 2).map(Int64.init) ?? 0
        isExtensibleFloat = form.little(0, 2) == 0xFFFE && form.little(24, 2) == 3
      case "data":
        guard bytesPerFrame > 0, chunk.count >= bytesPerFrame else { return nil }
        frames = chunk.count / bytesPerFrame
        return
      default: break
      }
    }
    return nil
  }
}
