import System

/// The tags of an audio file. [any]
public struct AudioTags: Equatable, Sendable {
  /// The title.
  public var title: String?
  /// The artist.
  public var artist: String?
  /// The album.
  public var album: String?
  /// The tags of its loudness.
  public var loudness = LoudnessTags()
  /// Whether there is a picture, which `AudioReader.cover()` returns.
  public var hasCover = false

  /// Makes empty tags.
  public init() {}
}

/// A cover picture, as encoded in the file. [any]
public struct CoverPicture: Equatable, Sendable {
  /// The most bytes of a picture; larger ones are ignored.
  public static let most = 16 << 20

  /// The media type, such as `image/jpeg`.
  public var mediaType: String
  /// The encoded picture.
  public var bytes: [UInt8]

  /// Makes a picture.
  public init(mediaType: String, bytes: [UInt8]) {
    self.mediaType = mediaType
    self.bytes = bytes
  }
}
