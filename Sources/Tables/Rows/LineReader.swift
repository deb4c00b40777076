import System

/// Reads the lines of a file in pieces: memory holds one piece and one line. [any]
struct LineReader {
  /// A byte of the file cannot be read: the disk fails, or the file has become shorter since it was opened.
  struct Unreadable: Error {}

  /// Bytes read at once.
  private static let pieceSize = 1 << 20

  private let file: RegularFile
  /// Bytes of the file that were read; those before `next` were returned.
  private var bytes: [UInt8] = []
  private var next = 0
  /// The offset in the file after the last line that was returned, in bytes.
  private(set) var offset: Int64

  /// Makes a reader of the lines from an offset on, in bytes.
  init(_ file: RegularFile, from offset: Int64) { (self.file, self.offset) = (file, offset) }

  /// Reads the next line, with its line feed. Returns nil at the end; a last line without a line feed is left out.
  mutating func line() throws(Unreadable) -> [UInt8]? {
    var searched = next
    while true {
      if let stop = bytes[searched...].firstIndex(of: 0x0A) {
        let line = Array(bytes[next...stop])
        next = stop + 1
        offset += Int64(line.count)
        return line
      }
      bytes.removeFirst(next)
      next = 0
      searched = bytes.count
      let end = offset + Int64(bytes.count)
      guard end < file.size else { return nil }
      let piece = file.bytes(at: end, count: Self.pieceSize)
      guard !piece.isEmpty else { throw Unreadable() }
      bytes += piece
    }
  }
}
