import CPng
import Glibc

extension Picture {
  /// The most pixels across or down that are read.
  public static let most = 8192
  /// The most pixels of a picture in all, which is also the most of all pictures of a graph: one of 8192 × 4096, or 128
  /// of 512 × 512. Ready to be drawn a pixel takes up to 26 bytes.
  public static let mostInAll = 1 << 25

  /// The size of a PNG, by its header alone. Throws when it is missing, no PNG, or larger than `most` either way or
  /// than `mostInAll`.
  public static func size(path: String) throws(PictureFault) -> (width: Int, height: Int) {
    let header = try PNGHeader.open(path)
    close(header.file)
    return (header.width, header.height)
  }

  /// Reads a PNG of any kind. Throws when it is missing, broken, or larger than `most` either way or than `mostInAll`.
  ///
  /// Memory is taken for the picture once, after its size was found to be allowed.
  public static func read(path: String) throws(PictureFault) -> Picture {
    let header = try PNGHeader.open(path)
    guard let stream = fdopen(header.file, "rb") else {
      close(header.file)
      throw .unreadable(path, PNGHeader.words(errno))
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
