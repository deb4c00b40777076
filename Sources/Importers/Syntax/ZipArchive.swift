import CZlib

/// Reads an untrusted zip archive. Its directory is checked against limits, and no entry is written to disk. ZIP64,
/// multiple disks and encryption are refused. [control]
struct ZipArchive {
  private struct Entry {
    let name: String
    let method: Int
    /// The CRC-32 of the content.
    let check: UInt32
    /// Compressed bytes, and decompressed bytes.
    let packed: Int
    let size: Int
    /// The first byte of the local header.
    let start: Int
  }

  /// The most entries, and the most decompressed bytes of one.
  private static let (mostEntries, mostBytes) = (4096, 32 << 20)
  /// The most decompressed bytes of all entries that are read.
  private static let mostTotal = 64 << 20

  private let bytes: [UInt8]
  private let file: String
  private var entries: [Entry] = []
  /// Decompressed bytes that may still be returned.
  private var left = Self.mostTotal

  /// Whether bytes begin as a zip archive.
  static func begins(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) }

  /// Reads the central directory. Throws where there is none, or it has too many entries.
  init(_ bytes: [UInt8], called file: String) throws(ImportError) {
    (self.bytes, self.file) = (bytes, file)
    // The end of the directory comes last, before a comment of at most 65,535 bytes.
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

  /// A little-endian number.
  private func number(_ place: Int, _ count: Int) -> Int {
    bytes[place..<(place + count)].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  /// The names of the entries.
  var names: [String] { entries.map(\.name) }

  /// Whether there is an entry of this name.
  func has(_ name: String) -> Bool { entries.contains { $0.name == name } }

  /// Decompresses an entry. Throws where it is absent, broken, too large, or compressed by an unknown method.
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
