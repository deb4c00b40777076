import Particles
import System

/// The pictures of particles, read once and kept in all the sizes they are drawn in. [control] reads, [any] draws
public final class Textures: @unchecked Sendable {
  /// A picture that was read, and the parts of it that are drawn.
  private struct Source {
    let picture: Picture
    var parts: [PixelRect: Texture] = [:]
  }

  /// Parts of one picture that are kept on their own; a rectangle that moves shows parts of the whole beyond that.
  private static let mostParts = 256
  /// Pixels of all such parts together: what a level moves over a large picture would else fill the memory.
  private static let mostPixels = 1 << 24

  private let lock = Lock()
  /// Under the lock, like the pixels; by the bytes of their paths, as texts take tables of Unicode to be compared.
  private var sources: [[UInt8]: Source] = [:]
  /// Pixels of the parts that are kept, but for whole pictures.
  private var pixels = 0

  /// Only the built-in picture.
  public init() {}

  /// Takes a picture in place of the file of a path; from then on looks that name it show it.
  package func put(_ picture: Picture, as path: String) {
    lock.withLock { sources[Array(path.utf8)] = Source(picture: picture) }
  }

  func has(_ path: String) -> Bool { lock.withLock { sources[Array(path.utf8)] != nil } }

  /// The texture of a look, and the part of the picture that it holds; nil when nothing is to be seen.
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
  /// The same, as far as it lies in the picture; the whole picture for what is no number.
  var clamped: UnitRect {
    guard x.isFinite, y.isFinite, width.isFinite, height.isFinite else { return UnitRect() }
    let (left, top) = (max(0, min(1, x)), max(0, min(1, y)))
    let (right, bottom) = (max(0, min(1, x + width)), max(0, min(1, y + height)))
    return UnitRect(x: left, y: top, width: max(0, right - left), height: max(0, bottom - top))
  }

  /// The pixels that it touches in a picture of a size; at least one.
  func pixels(width: Int, height: Int) -> PixelRect {
    let rect = clamped
    // A rectangle such as 1/3 is seldom exact; a thousandth of a pixel is not meant.
    let left = min(width - 1, Int((rect.x * Double(width) + 1e-3).rounded(.down)))
    let top = min(height - 1, Int((rect.y * Double(height) + 1e-3).rounded(.down)))
    let right = Int(((rect.x + rect.width) * Double(width) - 1e-3).rounded(.up))
    let bottom = Int(((rect.y + rect.height) * Double(height) - 1e-3).rounded(.up))
    return PixelRect(x: left, y: top, width: max(1, right - left), height: max(1, bottom - top))
  }
}
