import CTiff
import Rendering

/// Reads the first picture of a TIFF, which Particle Designer embeds, with libtiff. [control]
enum TiffPicture {
  /// Whether bytes begin as a TIFF does.
  static func begins(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0x49, 0x49, 42, 0]) || bytes.starts(with: [0x4D, 0x4D, 0, 42])
  }

  /// The picture; nil where the TIFF is broken, larger than `most` either way, or of a kind that libtiff cannot turn
  /// into red, green and blue.
  static func read(_ bytes: [UInt8], most: Int) -> Picture? {
    // Its faults are ours to word.
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
        // libtiff gives colors premultiplied by alpha.
        let value = pixel >> UInt32(8 * part) & 0xFF
        let straight = alpha == 0 ? 0 : min(255, (value * 255 + alpha / 2) / alpha)
        pixels[4 * index + part] = UInt8(straight)
      }
      pixels[4 * index + 3] = UInt8(alpha)
    }
    return Picture(width: width, height: height, pixels: pixels)
  }
}

/// Bytes that libtiff reads as if they were a file.
private struct TiffReading {
  let bytes: UnsafeRawBufferPointer
  var place: UInt64

  static func of(_ handle: thandle_t?) -> Access {
    Access(handle!.assumingMemoryBound(to: TiffReading.self))
  }

  /// A way in through libtiff's handle.
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
