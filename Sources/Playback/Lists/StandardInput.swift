import Glibc
import System

/// The data of standard input, read to its end: a list or a sound. [one]
///
/// Text is a list: lines of paths, as `find` or `ls` write them, or a whole M3U, PLS or XSPF file; relative paths
/// start from the working folder. Anything else is taken for one audio file. As players seek, its bytes are written to
/// an unnamed file in `TMPDIR` or `/tmp`; a regular file at standard input is played where it is.
struct StandardInput {
  /// The name in messages and in the player.
  static let name = "standard input"

  enum Content {
    case list([UInt8])
    /// An audio file, which this path opens while the process lives.
    case sound(path: String)
  }

  /// Reads standard input to its end. A list may have at most `most` bytes.
  static func read(most: Int) throws(ListError) -> Content {
    var bytes: [UInt8] = []
    while bytes.count < 512 {
      let piece = try next(512)
      if piece.isEmpty { break }
      bytes += piece
    }
    return isText(bytes) ? .list(try list(bytes, most: most)) : .sound(path: try sound(bytes))
  }

  /// Whether the first bytes have no control character but tab, LF and CR; all audio files have others.
  private static func isText(_ bytes: [UInt8]) -> Bool {
    bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
      && !bytes.starts(with: [0xFF])
  }

  private static func list(_ first: [UInt8], most: Int) throws(ListError) -> [UInt8] {
    var bytes = first
    while true {
      let piece = try next(65_536)
      if piece.isEmpty { return bytes }
      bytes += piece
      guard bytes.count <= most else {
        throw ListError(.tooLarge, path: name, reason: "at most \(most) bytes")
      }
    }
  }

  private static func sound(_ first: [UInt8]) throws(ListError) -> String {
    if RegularFile.isRegular(STDIN_FILENO),
      lseek(STDIN_FILENO, 0, SEEK_CUR) == off_t(first.count)
    {
      return "/proc/self/fd/\(STDIN_FILENO)"
    }
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(folder)/visgraph-XXXXXX".utf8CString)
    let file = mkstemp(&template)
    guard file >= 0 else { throw fault(Errno()) }
    _ = fcntl(file, F_SETFD, FD_CLOEXEC)
    unlink(template)
    var piece = first
    while !piece.isEmpty {
      if let error = Descriptor.write(piece, to: file) { throw fault(error) }
      piece = try next(1 << 20)
    }
    return "/proc/self/fd/\(file)"
  }

  /// Reads up to `most` further bytes; empty at the end.
  private static func next(_ most: Int) throws(ListError) -> [UInt8] {
    do throws(Errno) {
      return try Descriptor.readSome(most, from: STDIN_FILENO)
    } catch {
      throw fault(error)
    }
  }

  private static func fault(_ error: Errno) -> ListError {
    ListError(.unreadable, path: name, reason: error.text)
  }
}
