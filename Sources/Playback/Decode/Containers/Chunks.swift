import System

/// Iterates over the chunks of a RIFF, AIFF, CAF or W64 file, clipped to the file's size. [one]
struct Chunks: Sequence, IteratorProtocol {
  /// A chunk: a name of four letters, and its contents.
  struct Chunk {
    let name: String
    /// Byte offset of its contents in the file.
    let start: Int64
    /// Bytes of its contents that are in the file.
    let count: Int64
    /// Bytes of its contents according to its header.
    let stated: UInt64
  }

  /// The format of a chunk's header.
  enum Order {
    /// RIFF: a size of four bytes, little endian; padded to even sizes.
    case little
    /// AIFF: a size of four bytes, big endian; padded to even sizes.
    case big
    /// CAF: a size of eight bytes, big endian; no padding.
    case wide
    /// W64: a name of 16 bytes and a size of eight, little endian, which includes this header; padded to eight bytes.
    case sony
  }

  private let file: RegularFile
  private let order: Order
  private var place: Int64
  /// Limits the chunks that are read; real files have a few dozen.
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
    // CAF has a size of -1 for "to the end of the file"; a size beyond the end is treated in the same way.
    let count = Swift.min(Int64(exactly: size) ?? .max, file.size - start)
    let odd: Int64 = order == .wide ? 0 : order == .sony ? -count & 7 : count & 1
    place = start + count + odd
    return Chunk(name: header.letters(0), start: start, count: count, stated: size)
  }
}

/// The length of a CAF file's sound: the decoded samples that are to be played. [one]
///
/// FFmpeg ignores this. The numbers are in the header of the chunk `pakt`, or follow from the size of the data.
struct CafTable: Equatable {
  /// Samples per channel to skip at the beginning (priming).
  var start: Int64 = 0
  /// Samples per channel to play; nil if the file does not say.
  var count: Int64?

  /// Whether `count` is a multiple of whole packets, although the last packet may be shorter.
  var isOfWholePackets = false

  /// The most packets of a table; more are refused.
  static let mostPackets: UInt64 = 2_700_000

  init(start: Int64 = 0, count: Int64? = nil) {
    self.start = start
    self.count = count
  }

  /// Reads the chunks; nil if the table has more than `mostPackets`.
  init?(of file: RegularFile) {
    var (bytesPerPacket, framesPerPacket): (UInt64, UInt64) = (0, 0)
    var bytes: Int64 = 0
    for chunk in Chunks(of: file, from: 8, order: .wide) {
      switch chunk.name {
      case "desc":
        let description = file.bytes(at: chunk.start, count: 32)
        bytesPerPacket = description.big(16, 4) ?? 0
        framesPerPacket = description.big(20, 4) ?? 0
      // The data begin with an edit count of four bytes.
      case "data": bytes = max(0, chunk.count - 4)
      case "pakt":
        let head = file.bytes(at: chunk.start, count: 24)
        guard let packets = head.big(0, 8), let valid = head.big(8, 8), let priming = head.big(16, 4) else {
          continue
        }
        guard packets <= CafTable.mostPackets else { return nil }
        // No encoder has a priming of ten seconds.
        if let valid = Int64(exactly: valid), (1..<AudioFormat.mostSamples).contains(valid), priming < 480_000
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
      if !product.overflow, (1..<AudioFormat.mostSamples).contains(product.partialValue) {
        count = product.partialValue
      }
    }
  }
}

/// The format of a W64 file. libsndfile gets two cases wrong: it plays chunks behind the data as sound, and takes
/// floats in WAVE_FORMAT_EXTENSIBLE for integers. [any]
struct W64Head {
  /// Samples per channel that are in the file.
  private(set) var frames: Int64 = 0
  /// Whether it has floats in WAVE_FORMAT_EXTENSIBLE.
  private(set) var isExtensibleFloat = false

  /// The first bytes of a W64 file.
  static let sign: [UInt8] = [0x72, 0x69, 0x66, 0x66, 0x2E, 0x91]

  /// Reads the chunks; nil for another kind of file, or without data after the format.
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
