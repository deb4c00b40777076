import Glibc
import System

extension RegularFile {
  /// Opens an audio file, refusing what is not a regular file with something in it. [any]
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
  /// A whole number of 1 to 8 bytes, most significant first; nil beyond the end.
  func big(_ place: Int, _ width: Int) -> UInt64? {
    guard place >= 0, place + width <= count else { return nil }
    return self[place..<place + width].reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// A whole number of 1 to 8 bytes, least significant first; nil beyond the end.
  func little(_ place: Int, _ width: Int) -> UInt64? {
    guard place >= 0, place + width <= count else { return nil }
    return self[place..<place + width].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Whether these letters stand at a place.
  func has(_ letters: StaticString, at place: Int = 0) -> Bool {
    guard place >= 0, place + letters.utf8CodeUnitCount <= count else { return false }
    return (0..<letters.utf8CodeUnitCount).allSatisfy { self[place + $0] == letters.utf8Start[$0] }
  }

  /// Four letters at a place; empty beyond the end.
  func letters(_ place: Int) -> String {
    guard place >= 0, place + 4 <= count else { return "" }
    return String(decoding: self[place..<place + 4], as: UTF8.self)
  }
}

/// What the system knows a file by: as long as it stays the same, so do the file's bytes, as far as anybody can tell
/// without reading them. [any]
public struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let node: UInt64
  private let size: Int64
  /// When it was changed last, in seconds and nanoseconds.
  private let seconds: Int64
  private let nanoseconds: Int64

  /// Asks the system; nil when nothing lies at the path.
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
