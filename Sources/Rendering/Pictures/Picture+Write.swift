import CPng
import Glibc
import Synchronization
import System

extension Picture {
  /// Writes a PNG; a file that exists is only written over when `replacing`. A file appears whole or not at all.
  public func write(path: String, replacing: Bool) throws(PictureError) {
    let target = try FileTarget.open(path, replacing: replacing)
    errno = 0
    guard let stream = fdopen(target.file, "wb") else {
      let code = errno
      close(target.file)
      target.discard()
      throw .unwritable(path, Errno(code).text)
    }
    let written = encode(to: stream)
    var code = written ? 0 : errno
    if fclose(stream) != 0 { code = errno == 0 ? EIO : errno }
    guard written, code == 0 else {
      target.discard()
      throw Self.fault(path, code)
    }
    try target.keep(replacing: replacing)
  }

  /// The fault of a system error while a file is written.
  static func fault(_ path: String, _ code: Int32) -> PictureError {
    if code == ENOSPC || code == EDQUOT { return .diskFull(path) }
    return .unwritable(path, code == 0 ? "the PNG could not be made" : Errno(code).text)
  }

  /// A picture without any clear pixel is written without alpha.
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

/// A file that is being written under another name beside its own, so that it appears whole or not at all.
struct FileTarget {
  /// What is written to. Who asked for the target closes it, then keeps or discards it.
  let file: Int32
  private let path: String
  /// The name while it is written; nil for what is no plain file (a device, a pipe), which is written to directly.
  private let draft: String?

  private static let drafts = Atomic<Int>(0)

  /// Opens a target. Throws when it exists and may not be replaced, or when its folder cannot be written to.
  static func open(_ path: String, replacing: Bool) throws(PictureError) -> FileTarget {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw .unwritable(path, "that is no name of a file") }
    var status = stat()
    let exists = stat(path, &status) == 0
    if exists, !replacing { throw .exists(path) }
    if exists, status.st_mode & S_IFMT == S_IFDIR { throw .unwritable(path, "it is a folder") }
    if exists, status.st_mode & S_IFMT != S_IFREG {
      // Without waiting: a pipe that nobody reads would hold us for ever.
      let file = Glibc.open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
      guard file >= 0 else { throw Picture.fault(path, errno) }
      _ = fcntl(file, F_SETFL, O_WRONLY)
      return FileTarget(file: file, path: path, draft: nil)
    }
    // A file that may not be written to stays, even in a folder where it could be exchanged.
    if exists, access(path, W_OK) != 0 { throw Picture.fault(path, errno) }
    let real = exists ? RealPath(path)?.text ?? path : path
    let number = drafts.wrappingAdd(1, ordering: .relaxed).oldValue
    let folder = real.lastIndex(of: "/").map { String(real[...$0]) } ?? ""
    let draft = "\(folder).visgraph-\(getpid())-\(number).part"
    let file = Glibc.open(draft, O_WRONLY | O_CLOEXEC | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o666)
    guard file >= 0 else { throw Picture.fault(path, errno) }
    return FileTarget(file: file, path: real, draft: draft)
  }

  /// Gives the file its name.
  func keep(replacing: Bool) throws(PictureError) {
    guard let draft else { return }
    if !replacing {
      if link(draft, path) == 0 {
        unlink(draft)
        return
      }
      // File systems without links (FAT) cannot do it in one step.
      let code = errno
      guard code != EEXIST, access(path, F_OK) != 0 else {
        unlink(draft)
        throw .exists(path)
      }
    }
    guard rename(draft, path) != 0 else { return }
    let code = errno
    unlink(draft)
    throw Picture.fault(path, code)
  }

  /// Leaves nothing behind.
  func discard() {
    if let draft { unlink(draft) }
  }
}
