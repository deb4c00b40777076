import Glibc
import Rendering
import System

extension TextureSource {
  /// The texture in a file beside the particle file.
  func texture(named name: String) throws(ImportError) -> ImportedTexture {
    let shown = FileText.shown(name)
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard !name.isEmpty, !name.hasPrefix("/"), !parts.contains(".."), name.utf8.allSatisfy({ $0 >= 0x20 })
    else {
      throw ImportError(
        "texture-outside", "\(file): textureFileName is \"\(shown)\"; it takes a file in the same folder")
    }
    // As cocos2d does: a folder that is not here is left out.
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

  /// The picture in some bytes; `subject` is the key or file they come from.
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

  /// Before anything is unpacked: width and height stand at the beginning.
  private func checkSize(ofPNG bytes: [UInt8], _ subject: String) throws(ImportError) {
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
    // Pictures are read from files; this one loses its name at once and is gone when it is closed.
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
      // Its sentence names a path; ours names the key.
      let reason =
        error.message.hasPrefix(path + ": ") ? error.message.dropFirst(path.count + 2) : "is broken"
      throw ImportError("broken-texture", "\(file): \(subject): \(reason)")
    }
  }
}
