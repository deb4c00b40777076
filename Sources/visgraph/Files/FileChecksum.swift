import CZlib
import Glibc
import System

/// Checksums that identify the content of a file on any machine. [any]
enum FileChecksum {
  /// The size in bytes and the CRC-32. That detects mistakes, but no forgery.
  static func of(_ bytes: [UInt8]) -> String { text(bytes.count, add(bytes, to: 0)) }

  /// The checksum of the file at a path, or words that say why there is none.
  static func of(file path: String) -> String {
    let file: RegularFile
    do throws(RegularFile.Refusal) { file = try RegularFile(path) } catch {
      switch error {
      case .folder: return "a folder"
      default: return "no file"
      }
    }
    var sum: UInt = 0
    var place: Int64 = 0
    while place < file.size {
      let bytes = file.bytes(at: place, count: 1 << 20)
      guard !bytes.isEmpty else { return "cannot be read" }
      sum = add(bytes, to: sum)
      place += Int64(bytes.count)
    }
    return text(Int(file.size), sum)
  }

  private static func add(_ bytes: [UInt8], to sum: UInt) -> UInt {
    bytes.withUnsafeBufferPointer { crc32(sum, $0.baseAddress, UInt32($0.count)) }
  }

  private static func text(_ size: Int, _ sum: UInt) -> String {
    "\(size) bytes, crc32 \(String(hexadecimal: sum, digits: 8))"
  }
}
