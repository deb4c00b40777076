import Glibc
import Rendering

/// Finds and reads the texture that a particle file names or embeds. [control]
struct TextureSource {
  /// The most pixels either way, and the most bytes of an embedded texture when it is inflated.
  static let (mostPixels, mostBytes) = (4096, 64 << 20)

  /// The name of the particle file in messages.
  let file: String
  /// The folder of the particle file, in which its textures must be.
  let folder: String

  /// The texture of Particle Designer's keys. The file takes precedence over the embedded picture, as in cocos2d.
  func texture(
    name: String?, data: FileValue?, _ draftNote: (ImportNote) -> Void
  ) throws(ImportError) -> ImportedTexture? {
    let data = data.flatMap { $0.isBlank ? nil : $0 }
    if let name {
      do throws(ImportError) {
        return try texture(named: name)
      } catch {
        guard data != nil else { throw error }
        draftNote(
          ImportNote(.changed, ["textureFileName"], "cannot be used, so the picture in textureImageData is"))
      }
    }
    guard let data else { return nil }
    return try texture(embedded: data, key: "textureImageData")
  }

  /// Decodes the texture embedded under a key: base64, perhaps compressed. Nil for an empty value.
  func texture(embedded value: FileValue, key: String) throws(ImportError) -> ImportedTexture? {
    if value.isBlank { return nil }
    let bytes: [UInt8]
    switch value {
    case .data(let data): bytes = data
    case .text(let text):
      let plain = text.utf8.withContiguousStorageIfAvailable { Base64.bytes($0) }
      guard let decoded = plain ?? Base64.bytes(text.utf8) else {
        throw ImportError("broken-base64", "\(file): \(key) is not base64")
      }
      bytes = decoded
    default:
      throw ImportError("wrong-value", "\(file): \(key) is \(value.words); it takes a picture in base64")
    }
    return ImportedTexture(picture: try picture(try unpacked(bytes, key), key), pngPath: nil)
  }

  /// The bytes, decompressed if they begin as gzip or zlib.
  private func unpacked(_ bytes: [UInt8], _ key: String) throws(ImportError) -> [UInt8] {
    guard Inflated.begins(bytes) else { return bytes }
    do throws(Inflated.InflateError) {
      return try Inflated.bytes(bytes, most: Self.mostBytes)
    } catch {
      switch error {
      case .broken:
        throw ImportError("broken-texture", "\(file): \(key) is packed and breaks off or is broken")
      case .tooLarge:
        throw ImportError(
          "texture-too-large", "\(file): \(key) unpacks to more than \(Self.mostBytes >> 20) MB")
      }
    }
  }
}

/// The picture of an imported emitter's particles.
public struct ImportedTexture: Sendable {
  /// Its pixels.
  public let picture: Picture
  /// The path of the PNG beside the particle file; nil for an embedded texture, or a file of another kind.
  public let pngPath: String?
}
