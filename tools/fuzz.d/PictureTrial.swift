import Glibc
import Particles
import Rendering

/// What has to hold for any bytes given as a picture: it is read and drawn, or there is a fault that names the file.
struct PictureTrial: MutantTrial {
  private let path: String

  /// Written files lie beside the file `beside`.
  init(beside: String) { path = "\(beside)-picture-\(getpid()).png" }

  /// Removes the written files.
  func remove() { unlink(path) }

  func outcome(of bytes: [UInt8], running: () -> Void) throws -> Trial.Outcome {
    write(bytes, to: path)
    let picture: Picture
    do throws(PictureError) {
      picture = try Picture.read(path: path)
    } catch {
      try inspect(at: error)
      return .refused
    }
    guard (1...Picture.most).contains(picture.width), (1...Picture.most).contains(picture.height),
      picture.pixels.count == picture.width * picture.height * 4
    else {
      throw Trial.Complaint("size: \(picture.width) × \(picture.height), \(picture.pixels.count) bytes")
    }
    let size = try Picture.size(path: path)
    guard size == (picture.width, picture.height) else {
      throw Trial.Complaint("size: not that of the header")
    }
    running()
    try draw(picture)
    return .ran
  }

  private func draw(_ picture: Picture) throws {
    let textures = Textures()
    let materials = [
      UnitRect(), UnitRect(x: 0.3, y: 0.1, width: 0.4, height: 0.2),
      UnitRect(x: 0.99, y: 0.99, width: 1, height: 1),
    ].map { SpriteMaterial(contents: .file(path), rect: $0) }
    try textures.read(materials)
    let canvas = Canvas(
      width: 24, height: 16, stage: Size(width: 24, height: 16), textures: textures, threads: 1)
    canvas.begin(background: Color(), picture: picture)
    let sprites = materials.indices.flatMap { material in
      [0.01, 0.7, 30].map { Sprite(x: 12, y: 8, scale: $0, angle: 0.5, material: Int32(material)) }
    }
    canvas.draw(sprites, materials: materials, mode: .unordered)
    canvas.end { _ in }
  }

  private func inspect(at fault: PictureError) throws {
    guard fault.message.hasPrefix("\(path): ") else { throw Trial.Complaint("sentence: \(fault.message)") }
    let isSafe = fault.message.unicodeScalars.allSatisfy {
      $0.value >= 32 && !(127...159).contains($0.value)
    }
    guard isSafe else { throw Trial.Complaint("sentence: cannot be shown") }
    guard !fault.code.isEmpty, fault.code.utf8.allSatisfy({ $0 &- 0x61 < 26 || $0 == 0x2D }) else {
      throw Trial.Complaint("code: \(fault.code)")
    }
  }
}
