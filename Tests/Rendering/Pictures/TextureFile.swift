import Particles
import TestSupport

@testable import Rendering

/// A picture in a file, read as a texture.
struct TextureFile {
  let textures = Textures()
  let path: String
  private let folder: TemporaryFolder

  init(_ picture: Picture) throws {
    folder = try TemporaryFolder()
    path = folder.file("texture.png")
    try picture.write(path: path, replacing: false)
    try textures.read([SpriteMaterial(contents: .file(path))])
  }

  /// The material of the texture, with a test's changes.
  func material(_ change: (inout SpriteMaterial) -> Void = { _ in }) -> SpriteMaterial {
    var material = SpriteMaterial(contents: .file(path))
    change(&material)
    return material
  }
}
