import Particles
import System

/// The pictures of particles, read once and kept as mipmaps. [control] reads them, [any] draws them.
public final class Textures: @unchecked Sendable {
  /// A picture, and the textures of its parts.
  private struct Source {
    let picture: Picture
    var parts: [PixelRect: Texture] = [:]
  }

  /// The most parts of a picture that have textures of their own. Further parts use the texture of the whole picture.
  private static let mostParts = 256
  /// The most pixels of all such parts together. Without a limit, a level that drives the rectangle of a large picture
  /// would fill the memory.
  private static let mostPixels = 1 << 24

  private let lock = Lock()
  /// By the path in bytes, because comparing strings needs Unicode tables. Under the lock, like `pixels`.
  private var sources: [[UInt8]: Source] = [:]
  /// The pixels of all parts with a texture; whole pictures do not count.
  private var pixels = 0

  /// Makes a collection with only the built-in picture.
  public init() {}

  /// Uses a picture in place of the file at `path`, for all materials that name it.
  package func put(_ picture: Picture, as path: String) {
    lock.withLock { sources[Array(path.utf8)] = Source(picture: picture) }
  }

  func has(_ path: String) -> Bool { lock.withLock { sources[Array(path.utf8)] != nil } }

  /// The texture of a material, the part of the picture that it holds, and the size of the picture; nil if the
  /// material is invisible.
  func shown(by material: SpriteMaterial) -> (
    texture: Texture, part: PixelRect, picture: (width: Int, height: Int)
  )? {
    switch material.contents {
    case .none: return nil
    case .soft: break
    case .file(let path):
      let found = lock.withLock { part(of: path, under: material.rect) }
      if let found { return found }
    }
    let size = Contents.softSize
    return (Texture.soft, PixelRect(x: 0, y: 0, width: size, height: size), (size, size))
  }

  /// The texture of the part under a rectangle; made if it is not there yet. Under the lock.
  private func part(
    of path: String, under rect: UnitRect
  ) -> (texture: Texture, part: PixelRect, picture: (width: Int, height: Int))? {
    let path = Array(path.utf8)
    guard let source = sources[path] else { return nil }
    let picture = source.picture
    let whole = PixelRect(x: 0, y: 0, width: picture.width, height: picture.height)
    var part = rect.pixels(width: picture.width, height: picture.height)
    if let texture = source.parts[part] { return (texture, part, (picture.width, picture.height)) }
    if part != whole {
      let more = part.width * part.height
      if source.parts.count < Self.mostParts, pixels + more <= Self.mostPixels {
        pixels += more
      } else {
        part = whole
      }
    }
    let texture = source.parts[part] ?? Texture(picture, part)
    sources[path]?.parts[part] = texture
    return (texture, part, (picture.width, picture.height))
  }
}

extension UnitRect {
  /// The rectangle clamped to 0…1; the whole picture if a value is not finite.
  var clamped: UnitRect {
    guard x.isFinite, y.isFinite, width.isFinite, height.isFinite else { return UnitRect() }
    let (left, top) = (max(0, min(1, x)), max(0, min(1, y)))
    let (right, bottom) = (max(0, min(1, x + width)), max(0, min(1, y + height)))
    return UnitRect(x: left, y: top, width: max(0, right - left), height: max(0, bottom - top))
  }

  /// The pixels that it overlaps in a picture of `width` × `height` pixels; at least one.
  func pixels(width: Int, height: Int) -> PixelRect {
    let rect = clamped
    // Fractions such as 1/3 are rarely exact, so an overlap below 0.001 pixel does not count.
    let left = min(width - 1, Int((rect.x * Double(width) + 1e-3).rounded(.down)))
    let top = min(height - 1, Int((rect.y * Double(height) + 1e-3).rounded(.down)))
    let right = Int(((rect.x + rect.width) * Double(width) - 1e-3).rounded(.up))
    let bottom = Int(((rect.y + rect.height) * Double(height) - 1e-3).rounded(.up))
    return PixelRect(x: left, y: top, width: max(1, right - left), height: max(1, bottom - top))
  }
}
