import CTiff
import Glibc
import Rendering
import System

extension TextureSource {
  /// Reads the texture from a file beside the particle file.
  func texture(named name: String) throws(ImportError) -> ImportedTexture {
    let shown = FileText.shown(name)
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard !name.isEmpty, !name.hasPrefix("/"), !parts.contains(".."), name.utf8.allSatisfy({ $0 >= 0x20 })
    else {
      throw ImportError(
        "texture-outside", "\(file): textureFileName is \"\(shown)\"; it takes a file in the same folder")
    }
    // cocos2d does the same: a folder that does not exist here is left out of the name.
    let real = [name, FileText.lastPart(of: name)].lazy.compactMap { RealPath("\(folder)/\($0)") }.first
    guard let real else {
      throw ImportError(
        "no-texture", "\(file): textureFileName is \"\(shown)\"; there is no such file beside it")
    }
    guard let home = RealPath(folder), real.isWithin([home.text]), real.text != home.text else {
      throw ImportError(
        "texture-outside", "\(file): textureFileName is \"\(shown)\", a link to somewhere outside its folder")
    }
    let bytes = try InputFile.bytes(of: real.text, called: shown)
    guard Self.isPNG(bytes) else {
      return ImportedTexture(picture: try picture(bytes, shown), pngPath: nil)
    }
    try checkSize(ofPNG: bytes, shown)
    return ImportedTexture(picture: try read(png: real.text, shown), pngPath: real.text)
  }

  /// Decodes a picture. `subject` is the key or the file that it comes from, for messages.
  func picture(_ bytes: [UInt8], _ subject: String) throws(ImportError) -> Picture {
    if Self.isPNG(bytes) {
      try checkSize(ofPNG: bytes, subject)
      return try read(png: bytes, subject)
    }
    if TiffPicture.begins(bytes) {
      guard let picture = TiffPicture.read(bytes, most: Self.mostPixels) else {
        throw ImportError(
          "broken-texture",
          "\(file): \(subject) is a TIFF that is broken, or larger than \(Self.mostPixels) pixels either way")
      }
      return picture
    }
    let kinds: [(String, [UInt8])] = [
      ("a JPEG", [0xFF, 0xD8, 0xFF]), ("a GIF", [0x47, 0x49, 0x46, 0x38]), ("a BMP", [0x42, 0x4D]),
      ("a PVR texture", [0x50, 0x56, 0x52]), ("a packed PVR texture", [0x43, 0x43, 0x5A, 0x21]),
      ("an ATF texture", [0x41, 0x54, 0x46]), ("a WebP", [0x52, 0x49, 0x46, 0x46]),
    ]
    let kind = kinds.first { bytes.starts(with: $0.1) }?.0 ?? "no picture that is known"
    throw ImportError("unknown-texture", "\(file): \(subject) is \(kind); visgraph reads PNG and TIFF")
  }

  private static func isPNG(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
  }

  /// Checks width and height before decoding: they are in bytes 16…23.
  private func checkSize(ofPNG bytes: [UInt8], _ subject: String) throws(ImportError) {
    guard !PNGHeader.isForDevices(bytes) else {
      throw ImportError("unknown-texture", "\(file): \(subject) \(PNGHeader.forDevices)")
    }
    guard bytes.count >= 24 else {
      throw ImportError("broken-texture", "\(file): \(subject) is a PNG that breaks off")
    }
    let sides = [16, 20].map { start in bytes[start..<(start + 4)].reduce(0) { $0 << 8 | Int($1) } }
    guard sides.allSatisfy({ $0 <= Self.mostPixels }) else {
      throw ImportError(
        "texture-too-large",
        "\(file): \(subject) has \(sides[0]) × \(sides[1]) pixels; textures have \(Self.mostPixels) at most either way"
      )
    }
  }

  private func read(png bytes: [UInt8], _ subject: String) throws(ImportError) -> Picture {
    // `Picture` reads files only. This file is unlinked at once, so it ends when it is closed.
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var path = Array("\(folder)/visgraph-texture-XXXXXX".utf8CString)
    let descriptor = mkstemp(&path)
    let failure = ImportError("no-temporary-file", "\(file): \(subject) cannot be unpacked into \(folder)")
    guard descriptor >= 0 else { throw failure }
    unlink(path)
    defer { close(descriptor) }
    guard Descriptor.write(bytes, to: descriptor) == nil else { throw failure }
    return try read(png: "/proc/self/fd/\(descriptor)", subject)
  }

  private func read(png path: String, _ subject: String) throws(ImportError) -> Picture {
    do throws(PictureError) {
      return try Picture.read(path: path)
    } catch {
      // The library's message names a path; this one names the key.
      let reason =
        error.message.hasPrefix(path + ": ") ? error.message.dropFirst(path.count + 2) : "is broken"
      throw ImportError("broken-texture", "\(file): \(subject): \(reason)")
    }
  }
}

/// Reads the first picture of a TIFF by libtiff; Particle Designer embeds such files. [control]
enum TiffPicture {
  /// Whether bytes begin as a TIFF, of either byte order.
  static func begins(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0x49, 0x49, 42, 0]) || bytes.starts(with: [0x4D, 0x4D, 0, 42])
  }

  /// Decodes the picture. Nil where the TIFF is broken, larger than `most` pixels either way, or of a kind that
  /// libtiff cannot convert to RGB.
  static func read(_ bytes: [UInt8], most: Int) -> Picture? {
    // libtiff would print its errors to stderr.
    TIFFSetErrorHandler(nil)
    TIFFSetWarningHandler(nil)
    return bytes.withUnsafeBytes { (all) -> Picture? in
      var reading = TiffReading(bytes: all, place: 0)
      return withUnsafeMutablePointer(to: &reading) { (reading) -> Picture? in
        guard let options = TIFFOpenOptionsAlloc() else { return nil }
        defer { TIFFOpenOptionsFree(options) }
        TIFFOpenOptionsSetMaxSingleMemAlloc(options, tmsize_t(4 * most * most))
        let tiff = TIFFClientOpenExt(
          "texture", "rm", reading, { TiffReading.of($0).read($1, $2) }, { _, _, _ in 0 },
          { TiffReading.of($0).seek($1, $2) }, { _ in 0 }, { toff_t(TiffReading.of($0).bytes.count) },
          { _, _, _ in 0 }, { _, _, _ in }, options)
        guard let tiff else { return nil }
        defer { TIFFClose(tiff) }
        return picture(tiff, most)
      }
    }
  }

  private static func picture(_ tiff: OpaquePointer, _ most: Int) -> Picture? {
    var image = TIFFRGBAImage()
    var reason = [CChar](repeating: 0, count: 1024)
    guard TIFFRGBAImageOK(tiff, &reason) == 1, TIFFRGBAImageBegin(&image, tiff, 1, &reason) == 1 else {
      return nil
    }
    defer { TIFFRGBAImageEnd(&image) }
    let (width, height) = (Int(image.width), Int(image.height))
    guard (1...most).contains(width), (1...most).contains(height) else { return nil }
    image.req_orientation = UInt16(ORIENTATION_TOPLEFT)
    var raster = [UInt32](repeating: 0, count: width * height)
    guard TIFFRGBAImageGet(&image, &raster, image.width, image.height) == 1 else { return nil }
    var pixels = [UInt8](repeating: 0, count: 4 * width * height)
    for (index, pixel) in raster.enumerated() {
      let alpha = pixel >> 24
      for part in 0..<3 {
        // libtiff gives colors premultiplied by alpha; `Picture` takes straight ones.
        let value = pixel >> UInt32(8 * part) & 0xFF
        let straight = alpha == 0 ? 0 : min(255, (value * 255 + alpha / 2) / alpha)
        pixels[4 * index + part] = UInt8(straight)
      }
      pixels[4 * index + 3] = UInt8(alpha)
    }
    return Picture(width: width, height: height, pixels: pixels)
  }
}

/// Bytes that libtiff reads like a file.
private struct TiffReading {
  let bytes: UnsafeRawBufferPointer
  /// The offset of the next read, in bytes.
  var place: UInt64

  static func of(_ handle: thandle_t?) -> Access {
    Access(handle!.assumingMemoryBound(to: TiffReading.self))
  }

  /// The reader behind libtiff's handle.
  struct Access {
    private let reading: UnsafeMutablePointer<TiffReading>

    init(_ reading: UnsafeMutablePointer<TiffReading>) { self.reading = reading }

    var bytes: UnsafeRawBufferPointer { reading.pointee.bytes }

    func read(_ target: UnsafeMutableRawPointer?, _ size: tmsize_t) -> tmsize_t {
      let place = min(reading.pointee.place, UInt64(bytes.count))
      let count = max(0, min(Int(size), bytes.count - Int(place)))
      if count > 0, let target, let source = bytes.baseAddress {
        target.copyMemory(from: source + Int(place), byteCount: count)
      }
      reading.pointee.place = place + UInt64(count)
      return tmsize_t(count)
    }

    /// Moves the offset as lseek(2) does: from the start (0), from the present offset (1) or from the end.
    func seek(_ offset: toff_t, _ origin: Int32) -> toff_t {
      switch origin {
      case 0: reading.pointee.place = offset
      case 1: reading.pointee.place &+= offset
      default: reading.pointee.place = UInt64(bytes.count) &+ offset
      }
      return reading.pointee.place
    }
  }
}
