/// The picture of an album, as the file has it. [any]
public struct CoverPicture: Equatable, Sendable {
  /// Bytes that a picture may have; a larger one is left aside.
  public static let most = 16 << 20

  /// Such as `image/jpeg`.
  public var mediaType: String
  /// The picture's file.
  public var bytes: [UInt8]

  /// Takes a picture.
  public init(mediaType: String, bytes: [UInt8]) {
    self.mediaType = mediaType
    self.bytes = bytes
  }
}
