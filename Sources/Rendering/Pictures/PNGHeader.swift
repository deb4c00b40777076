import Glibc
import System

/// The first bytes of a PNG file, opened and looked at before anything is decoded.
struct PNGHeader {
  let width: Int
  let height: Int
  /// Bytes of the whole file.
  let fileSize: Int
  /// The file, at its beginning.
  let file: RegularFile

  /// Opens a file and reads its header. Files of any other sort (devices, pipes) are never read from.
  static func open(_ path: String) throws(PictureError) -> PNGHeader {
    guard !path.utf8.contains(0) else { throw .missing(path) }
    let file: RegularFile
    do throws(RegularFile.Refusal) {
      file = try RegularFile(path)
    } catch {
      switch error {
      case .system(Errno(ENOENT)), .system(Errno(ENOTDIR)): throw .missing(path)
      case .system(Errno(ENXIO)), .folder, .notRegular, .tooLarge: throw .notAFile(path)
      case .system(let error): throw .unreadable(path, error.text)
      }
    }
    return try PNGHeader(file, path)
  }

  private init(_ file: RegularFile, _ path: String) throws(PictureError) {
    // Eight bytes of signature, then the length, name and contents of the first part, which is the header.
    var bytes = [UInt8](repeating: 0, count: 33)
    let count = file.read(&bytes, count: bytes.count, at: 0)
    guard count >= 0 else { throw .unreadable(path, Errno().text) }
    let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    guard count > 0, bytes.prefix(min(count, 8)).elementsEqual(signature.prefix(count)) else {
      throw .notPNG(path)
    }
    guard count == bytes.count else { throw .broken(path, "it ends within the header") }
    guard bytes[8..<16].elementsEqual([0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]) else {
      throw .broken(path, "it does not begin with a header")
    }
    func number(_ at: Int) -> Int { bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
    (width, height) = (number(16), number(20))
    guard width > 0, height > 0 else { throw .broken(path, "its size is 0") }
    guard width <= Picture.most, height <= Picture.most, width * height <= Picture.mostInAll else {
      throw .tooLarge(path, width, height)
    }
    fileSize = Int(file.size)
    self.file = file
    // Its packing shrinks at most 1032 times, and a pixel takes a bit at least: what is shorter cannot be whole.
    guard fileSize * 1032 * 8 >= width * height else { throw .broken(path, "too short for its size") }
    try Self.lookAtParts(file, fileSize, path)
  }

  /// The most bytes of a part that is not the pixels themselves; profiles of color have a few million.
  private static let mostOfPart = 8 << 20
  /// The most parts up to the last pixel.
  private static let mostParts = 1 << 16

  /// Looks at the sizes of all parts up to the pixels' last: libpng takes as much memory for a part as that says it is
  /// long.
  private static func lookAtParts(_ file: RegularFile, _ fileSize: Int, _ path: String) throws(PictureError) {
    var place = 33
    var count = 0
    var isInPixels = false
    while place + 8 <= fileSize {
      var bytes = [UInt8](repeating: 0, count: 8)
      guard file.read(&bytes, count: 8, at: Int64(place)) == 8 else { return }
      let isPixels = bytes[4...].elementsEqual([0x49, 0x44, 0x41, 0x54])
      if isInPixels && !isPixels { return }
      isInPixels = isPixels
      let length = bytes[..<4].reduce(0) { $0 << 8 | Int($1) }
      if !isPixels {
        guard place + 12 + length <= fileSize else { throw .broken(path, "it ends within a part") }
        guard length <= mostOfPart else {
          throw .tooManyBytes(
            path, "holds \(length) bytes beside its pixels, where \(mostOfPart) are read at most")
        }
      }
      count += 1
      guard count <= mostParts else { throw .tooManyBytes(path, "has more than \(mostParts) parts") }
      place += 12 + length
    }
  }
}
