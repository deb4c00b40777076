import CPng
import Glibc
public import Particles
import System

extension Picture {
  /// The size of a PNG, by its header alone. Throws when it is missing, no PNG, or larger than `most` either way or
  /// than `mostInAll`.
  public static func size(path: String) throws(PictureError) -> (width: Int, height: Int) {
    let header = try PNGHeader.open(path)
    return (header.width, header.height)
  }

  /// Reads a PNG of any kind. Throws when it is missing, broken, or larger than `most` either way or than `mostInAll`.
  ///
  /// Memory is taken for the picture once, after its size was found to be allowed.
  public static func read(path: String) throws(PictureError) -> Picture {
    let header = try PNGHeader.open(path)
    // A descriptor of its own: the stream closes it.
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
    // Sixteen bits that say nothing of their curve are read as sRGB, like eight.
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
  /// What libpng says went wrong.
  var words: String {
    withUnsafeBytes(of: message) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}

/// Why a picture cannot be read or written: what, and what is allowed. [any]
public struct PictureError: Error, Equatable, Sendable {
  /// Stable, kebab-case.
  public let code: String
  /// What is wrong, in one sentence without a full stop, the file named.
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

/// The first bytes of a PNG file, opened and looked at before anything is decoded.
package struct PNGHeader {
  let width: Int
  let height: Int
  /// Bytes of the whole file.
  let fileSize: Int
  /// The file, at its beginning.
  let file: RegularFile

  /// Whether some bytes begin as a PNG that Xcode has made for devices: one whose first part is called CgBI.
  package static func isForDevices(_ bytes: [UInt8]) -> Bool {
    bytes.count >= 16 && bytes[0..<8].elementsEqual(signature) && bytes[12..<16].elementsEqual("CgBI".utf8)
  }

  /// What such a file is, without its name.
  package static let forDevices =
    "is a PNG in the form that Xcode gives it for devices (CgBI), which no other program reads; use the picture that it was "
    + "made from, or xcrun pngcrush -revert-iphone-optimizations"

  private static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

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
    guard count > 0, bytes.prefix(min(count, 8)).elementsEqual(Self.signature.prefix(count)) else {
      throw .notPNG(path)
    }
    guard !Self.isForDevices(bytes) else { throw .forDevices(path) }
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

extension Textures {
  /// Reads what looks name, as far as it is not there yet. Throws what cannot be read; the rest is there nevertheless,
  /// and a look whose file cannot be read shows the built-in picture.
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
