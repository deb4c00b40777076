import Glibc
import System

extension RegularFile {
  /// Opens an audio file; refuses what is not a regular file, and empty files. [any]
  convenience init(path: String) throws(AudioError) {
    do throws(Refusal) {
      try self.init(path)
    } catch {
      throw AudioError(error, path)
    }
    guard size > 0 else { throw AudioError(.empty, path: path, reason: "0 bytes") }
  }
}

extension AudioError {
  fileprivate init(_ refusal: RegularFile.Refusal, _ path: String) {
    switch refusal {
    case .folder: self.init(.folder, path: path)
    case .notRegular, .tooLarge: self.init(.notAFile, path: path)
    case .system(let error):
      let isMissing = error.number == ENOENT || error.number == ENOTDIR
      self.init(isMissing ? .missing : .unreadable, path: path, reason: error.text)
    }
  }
}

extension Array where Element == UInt8 {
  /// A big-endian integer of 1…8 bytes; nil beyond the end.
  func big(_ place: Int, _ width: Int) -> UInt64? {
    guard place >= 0, place + width <= count else { return nil }
    return self[place..<place + width].reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// A little-endian integer of 1…8 bytes; nil beyond the end.
  func little(_ place: Int, _ width: Int) -> UInt64? {
    guard place >= 0, place + width <= count else { return nil }
    return self[place..<place + width].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Whether these letters are at an offset.
  func has(_ letters: StaticString, at place: Int = 0) -> Bool {
    guard place >= 0, place + letters.utf8CodeUnitCount <= count else { return false }
    return (0..<letters.utf8CodeUnitCount).allSatisfy { self[place + $0] == letters.utf8Start[$0] }
  }

  /// Four letters at an offset; empty beyond the end.
  func letters(_ place: Int) -> String {
    guard place >= 0, place + 4 <= count else { return "" }
    return String(decoding: self[place..<place + 4], as: UTF8.self)
  }
}

/// The identity of a file for the system: device, inode, size and time of change. While it is the same, the bytes are
/// assumed to be. [any]
public struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let node: UInt64
  private let size: Int64
  /// Time of the last modification, in seconds and nanoseconds.
  private let seconds: Int64
  private let nanoseconds: Int64

  /// Reads the identity; nil if there is nothing at the path.
  public init?(path: String) {
    var status = stat()
    guard stat(path.systemPath, &status) == 0 else { return nil }
    device = UInt64(status.st_dev)
    node = UInt64(status.st_ino)
    size = Int64(status.st_size)
    seconds = Int64(status.st_mtim.tv_sec)
    nanoseconds = Int64(status.st_mtim.tv_nsec)
  }
}
