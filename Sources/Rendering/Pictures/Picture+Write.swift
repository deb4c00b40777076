import CPng
import Glibc
import System

extension Picture {
  /// Writes a PNG. An existing file is overwritten only with `replacing`. The file appears complete or not at all.
  public func write(path: String, replacing: Bool) throws(PictureError) {
    let target = try FileTarget.open(path, replacing: replacing)
    errno = 0
    guard let stream = fdopen(target.file, "wb") else {
      let code = errno
      close(target.file)
      throw .unwritable(path, Errno(code).text)
    }
    let written = encode(to: stream)
    var code = written ? 0 : errno
    if fclose(stream) != 0 { code = errno == 0 ? EIO : errno }
    guard written, code == 0 else { throw Self.fault(path, code) }
    try target.keep(replacing: replacing)
  }

  /// Makes the error for an `errno` that writing a file has set; 0 if the encoder failed by itself.
  static func fault(_ path: String, _ code: Int32) -> PictureError {
    if code == ENOSPC || code == EDQUOT { return .diskFull(path) }
    return .unwritable(path, code == 0 ? "the PNG could not be made" : Errno(code).text)
  }

  /// Encodes the picture, without alpha if all pixels are opaque.
  private func encode(to stream: UnsafeMutablePointer<FILE>) -> Bool {
    var image = png_image()
    image.version = png_uint_32(PNG_IMAGE_VERSION)
    image.width = png_uint_32(width)
    image.height = png_uint_32(height)
    image.flags = png_uint_32(PNG_IMAGE_FLAG_FAST)
    defer { png_image_free(&image) }
    return pixels.withUnsafeBufferPointer { pixels in
      let solid = stride(from: 3, to: pixels.count, by: 4).allSatisfy { pixels[$0] == 255 }
      image.format = solid ? vg_png_rgb : vg_png_rgba
      guard solid else {
        return png_image_write_to_stdio(&image, stream, 0, pixels.baseAddress, 0, nil) != 0
      }
      let count = width * height
      let colors = [UInt8](unsafeUninitializedCapacity: count * 3) { out, filled in
        for i in 0..<count {
          out[3 * i] = pixels[4 * i]
          out[3 * i + 1] = pixels[4 * i + 1]
          out[3 * i + 2] = pixels[4 * i + 2]
        }
        filled = count * 3
      }
      return png_image_write_to_stdio(&image, stream, 0, colors, 0, nil) != 0
    }
  }
}

/// The destination of a picture: a regular file, which gets its name when it is complete, or a device or pipe, to which
/// is written directly.
struct FileTarget {
  /// The descriptor to write to. The caller closes it, then calls `keep` or drops the target.
  let file: Int32
  private let path: String
  /// The file that gets its name at the end; nil for a device or pipe.
  private let whole: WholeFile?

  /// Opens a destination. Throws if it exists and may not be replaced, or if its folder is not writable.
  static func open(_ path: String, replacing: Bool) throws(PictureError) -> FileTarget {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw .unwritable(path, "that is no name of a file") }
    var status = stat()
    let exists = stat(path, &status) == 0
    if exists, !replacing { throw .exists(path) }
    if exists, status.st_mode & S_IFMT == S_IFDIR { throw .unwritable(path, "it is a folder") }
    if exists, status.st_mode & S_IFMT != S_IFREG {
      // O_NONBLOCK, because opening a pipe without a reader would wait for ever.
      let file = Glibc.open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
      guard file >= 0 else { throw Picture.fault(path, errno) }
      _ = fcntl(file, F_SETFL, O_WRONLY)
      return FileTarget(file: file, path: path, whole: nil)
    }
    do throws(Errno) {
      let whole = try WholeFile(path)
      let file = fcntl(whole.descriptor, F_DUPFD_CLOEXEC, 0)
      guard file >= 0 else { throw Errno() }
      return FileTarget(file: file, path: path, whole: whole)
    } catch {
      throw Picture.fault(path, error.number)
    }
  }

  /// Gives the complete file its name.
  func keep(replacing: Bool) throws(PictureError) {
    do throws(Errno) { try whole?.keep(replacing: replacing) } catch {
      throw error == Errno(EEXIST) ? .exists(path) : Picture.fault(path, error.number)
    }
  }
}
