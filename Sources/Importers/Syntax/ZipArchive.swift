import CZlib

/// Reads a zip archive by anybody: what its directory says of entries is held against bounds, and no entry is ever written
/// anywhere. Sizes above 4 GB, several disks and keys are refused. [control]
struct ZipArchive {
  private struct Entry {
    let name: String
    let method: Int
    let check: UInt32
    let packed: Int
    let size: Int
    let start: Int
  }

  /// The most entries, and the most bytes that one unpacks to.
  private static let (mostEntries, mostBytes) = (4096, 32 << 20)
  /// The most bytes that all entries which are read may unpack to.
  private static let mostTotal = 64 << 20

  private let bytes: [UInt8]
  private let file: String
  private var entries: [Entry] = []
  private var left = Self.mostTotal

  /// Whether bytes begin as an archive does.
  static func begins(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) }

  /// Reads the directory. Throws where there is none, or it is beyond all measure.
  init(_ bytes: [UInt8], called file: String) throws(ImportError) {
    (self.bytes, self.file) = (bytes, file)
    // The directory's end stands last, before a comment of at most 65,535 bytes.
    let first = max(0, bytes.count - 22 - 0xFFFF)
    guard bytes.count >= 22,
      let end = stride(from: bytes.count - 22, through: first, by: -1).first(where: {
        number($0, 4) == 0x0605_4B50
      })
    else { throw broken("has no directory") }
    let (count, size, start) = (number(end + 10, 2), number(end + 12, 4), number(end + 16, 4))
    guard number(end + 4, 2) == 0, number(end + 6, 2) == 0 else { throw broken("goes over several disks") }
    guard count <= Self.mostEntries else {
      throw ImportError("hostile-zip", "\(file): has more than \(Self.mostEntries) entries")
    }
    guard start + size <= end else { throw broken("has a directory that is not within it") }
    var place = start
    for _ in 0..<count {
      guard place + 46 <= end, number(place, 4) == 0x0201_4B50 else { throw broken("has a broken directory") }
      let name = number(place + 28, 2)
      let next = place + 46 + name + number(place + 30, 2) + number(place + 32, 2)
      guard next <= end else { throw broken("has a broken directory") }
      let isSecret = number(place + 8, 2) & 1 == 1
      entries.append(
        Entry(
          name: String(decoding: bytes[(place + 46)..<(place + 46 + name)], as: UTF8.self),
          method: isSecret ? -1 : number(place + 10, 2), check: UInt32(number(place + 16, 4)),
          packed: number(place + 20, 4), size: number(place + 24, 4), start: number(place + 42, 4)))
      place = next
    }
  }

  private func broken(_ words: String) -> ImportError {
    ImportError("broken-zip", "\(file): is a zip that \(words)")
  }

  /// Bytes as a number, the lowest first.
  private func number(_ place: Int, _ count: Int) -> Int {
    bytes[place..<(place + count)].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  /// The names of the entries.
  var names: [String] { entries.map(\.name) }

  /// Whether there is an entry.
  func has(_ name: String) -> Bool { entries.contains { $0.name == name } }

  /// An entry unpacked. Throws where there is none, or it is broken, packed in a way that is not known, or too large.
  mutating func bytes(of name: String) throws(ImportError) -> [UInt8] {
    let shown = FileText.shown(name)
    guard let entry = entries.first(where: { $0.name == name }) else {
      throw ImportError("no-entry", "\(file): holds no \(shown)")
    }
    guard entry.size <= min(Self.mostBytes, left) else {
      throw ImportError(
        "hostile-zip", "\(file): \(shown) has more than \(min(Self.mostBytes, left) >> 20) MB")
    }
    guard entry.start + 30 <= bytes.count, number(entry.start, 4) == 0x0403_4B50 else {
      throw broken("does not hold \(shown) where it says")
    }
    let start = entry.start + 30 + number(entry.start + 26, 2) + number(entry.start + 28, 2)
    guard start + entry.packed <= bytes.count else { throw broken("breaks off in \(shown)") }
    let packed = Array(bytes[start..<(start + entry.packed)])
    let result: [UInt8]
    switch entry.method {
    case 0: result = packed
    case 8:
      do throws(Inflated.InflateError) {
        result = try Inflated.bytes(packed, most: entry.size, isRaw: true)
      } catch {
        throw broken("holds a broken \(shown)")
      }
    default:
      throw ImportError(
        "unknown-zip", "\(file): \(shown) is packed in a way that is not read; deflate and none are")
    }
    let check = result.withUnsafeBufferPointer { crc32(0, $0.baseAddress, UInt32($0.count)) }
    guard result.count == entry.size, UInt32(truncatingIfNeeded: check) == entry.check else {
      throw broken("holds a broken \(shown)")
    }
    left -= result.count
    return result
  }
}
