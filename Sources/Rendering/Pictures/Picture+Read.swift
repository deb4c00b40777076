import CPng
import Glibc
public import Particles
import System

extension Picture {
  /// Reads the size of a PNG from its header. Throws if the file is missing, is no PNG, or exceeds `most` in width or
  /// height or `mostInAll` in pixels.
  public static func size(path: String) throws(PictureError) -> (width: Int, height: Int) {
    let header = try PNGHeader.open(path)
    return (header.width, header.height)
  }

  /// Reads a PNG of any color type. Throws if the file is missing or broken, or exceeds `most` in width or height or
  /// `mostInAll` in pixels. Memory is allocated once, after the size has been checked.
  public static func read(path: String) throws(PictureError) -> Picture {
    let header = try PNGHeader.open(path)
    // The stream closes its descriptor, so it gets a duplicate.
    let copy = fcntl(header.file.descriptor, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0, let stream = fdopen(copy, "rb") else {
      let error = Errno()
      if copy >= 0 { close(copy) }
      throw .unreadable(path, error.text)
    }
    defer { fclose(stream) }
    var image = png_image()
    image.version = png_uint_32(PNG_IMAGE_VERSION)
    defer { png_image_free(&image) }
    guard png_image_begin_read_from_stdio(&image, stream) != 0 else { throw .broken(path, image.words) }
    guard Int(image.width) == header.width, Int(image.height) == header.height else {
      throw .broken(path, "its header changed")
    }
    image.format = vg_png_rgba
    // A picture of 16 bits per component without a gamma value is read as sRGB, as one of 8 bits is.
    image.flags |= png_uint_32(PNG_IMAGE_FLAG_16BIT_sRGB)
    let count = header.width * header.height * 4
    var whole = false
    let pixels = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      whole = png_image_finish_read(&image, nil, buffer.baseAddress, 0, nil) != 0
      filled = whole ? count : 0
    }
    guard whole else { throw .broken(path, image.words) }
    return Picture(width: header.width, height: header.height, pixels: pixels)
  }
}

extension png_image {
  /// The error message of libpng.
  var words: String {
    withUnsafeBytes(of: message) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}

/// Why a picture cannot be read or written. [any]
public struct PictureError: Error, Equatable, Sendable {
  /// The stable error code, in kebab case.
  public let code: String
  /// What is wrong and what is allowed, in one sentence without a full stop, with the name of the file.
  public let message: String

  init(_ code: String, _ message: String) {
    self.code = code
    self.message = message
  }
}

extension PictureError {
  static func missing(_ path: String) -> PictureError {
    PictureError("no-picture", "\(path): there is no such file")
  }
  static func unreadable(_ path: String, _ why: String) -> PictureError {
    PictureError("picture-unreadable", "\(path): cannot be read: \(why)")
  }
  static func notAFile(_ path: String) -> PictureError {
    PictureError("picture-unreadable", "\(path): is no file; a picture is a PNG file")
  }
  static func notPNG(_ path: String) -> PictureError {
    PictureError("not-a-png", "\(path): is no PNG file; pictures are read as PNG only")
  }
  static func forDevices(_ path: String) -> PictureError {
    PictureError("not-a-png", "\(path): \(PNGHeader.forDevices)")
  }
  static func broken(_ path: String, _ why: String) -> PictureError {
    PictureError("picture-broken", "\(path): is damaged or cut off (\(why)); save it once more")
  }
  static func tooLarge(_ path: String, _ width: Int, _ height: Int) -> PictureError {
    PictureError(
      "picture-too-large",
      "\(path): is \(width) × \(height) pixels; at most \(Picture.most) either way and \(Picture.mostInAll) in all are read"
    )
  }
  static func tooManyBytes(_ path: String, _ what: String) -> PictureError {
    PictureError(
      "picture-too-large", "\(path): \(what); save it once more, without what is not needed to show it")
  }
  static func exists(_ path: String) -> PictureError {
    PictureError(
      "picture-exists", "\(path): is there already; --force writes over it, or choose another name")
  }
  static func unwritable(_ path: String, _ why: String) -> PictureError {
    PictureError("picture-unwritable", "\(path): cannot be written: \(why)")
  }
  static func diskFull(_ path: String) -> PictureError {
    PictureError("disk-full", "\(path): the disk is full; nothing was written")
  }
}

/// The header of a PNG file, checked before anything is decoded.
package struct PNGHeader {
  let width: Int
  let height: Int
  /// The size of the whole file in bytes.
  let fileSize: Int
  /// The open file.
  let file: RegularFile

  /// Whether bytes begin as a PNG that Xcode has converted for iOS devices: its first chunk is called CgBI.
  package static func isForDevices(_ bytes: [UInt8]) -> Bool {
    bytes.count >= 16 && bytes[0..<8].elementsEqual(signature) && bytes[12..<16].elementsEqual("CgBI".utf8)
  }

  /// The message for a file that `isForDevices`, without its name.
  package static let forDevices =
    "is a PNG in the form that Xcode gives it for devices (CgBI), which no other program reads; use the picture that it was "
    + "made from, or xcrun pngcrush -revert-iphone-optimizations"

  private static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

  /// Opens a file and reads its header. Throws for a file that is not regular, such as a device or a pipe, or is no
  /// PNG.
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
    // Eight bytes of signature, then length, type, data and checksum of the first chunk, IHDR.
    var bytes = [UInt8](repeating: 0, count: 33)
    let count = file.read(&bytes, count: bytes.count, at: 0)
    guard count >= 0 else { throw .unreadable(path, Errno().text) }
    guard count > 0, bytes.prefix(min(count, 8)).elementsEqual(Self.signature.prefix(count)) else {
      throw .notPNG(path)
    }
    guard !Self.isForDevices(bytes) else { throw .forDevices(path) }
    guard count == bytes.count else { throw .broken(path, "it ends within the header") }
    guard bytes[8..<16].elementsEqual([0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]) else {
      throw .broken(path, "it does not begin with a header")
    }
    // A big-endian integer of 32 bits.
    func number(_ at: Int) -> Int { bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
    (width, height) = (number(16), number(20))
    guard width > 0, height > 0 else { throw .broken(path, "its size is 0") }
    guard width <= Picture.most, height <= Picture.most, width * height <= Picture.mostInAll else {
      throw .tooLarge(path, width, height)
    }
    fileSize = Int(file.size)
    self.file = file
    // Deflate compresses at most 1032 : 1, and a pixel has at least one bit. A shorter file cannot be complete.
    guard fileSize * 1032 * 8 >= width * height else { throw .broken(path, "too short for its size") }
    try Self.checkChunks(file, fileSize, path)
  }

  /// The most bytes of a chunk other than IDAT. Color profiles have up to a few million.
  private static let mostChunkBytes = 8 << 20
  /// The most chunks up to the last IDAT.
  private static let mostChunks = 1 << 16

  /// Checks the lengths of all chunks up to the last IDAT, because libpng allocates as much memory as a chunk's length
  /// states.
  private static func checkChunks(_ file: RegularFile, _ fileSize: Int, _ path: String) throws(PictureError) {
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
        guard length <= mostChunkBytes else {
          throw .tooManyBytes(
            path, "holds \(length) bytes beside its pixels, where \(mostChunkBytes) are read at most")
        }
      }
      count += 1
      guard count <= mostChunks else { throw .tooManyBytes(path, "has more than \(mostChunks) parts") }
      place += 12 + length
    }
  }
}

extension Textures {
  /// Reads those pictures of materials that have not been read yet. If some cannot be read, reads the others, then
  /// throws the first error. A material whose file cannot be read shows the built-in picture.
  public func read(_ materials: [SpriteMaterial]) throws(PictureError) {
    var fault: PictureError?
    var tried: Set<String> = []
    for material in materials {
      guard case .file(let path) = material.contents else { continue }
      if !has(path), tried.insert(path).inserted {
        do throws(PictureError) {
          let picture = try Picture.read(path: path)
          put(picture, as: path)
        } catch {
          fault = fault ?? error
        }
      }
      _ = shown(by: material)
    }
    if let fault { throw fault }
  }
}
