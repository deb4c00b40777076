import System

/// What an audio file says of its music. [any]
public struct AudioTags: Equatable, Sendable {
  /// The title.
  public var title: String?
  /// Who plays it.
  public var artist: String?
  /// What it is from.
  public var album: String?
  /// What it says of its loudness.
  public var loudness = LoudnessTags()
  /// Whether there is a picture; `AudioReader.cover()` gives it.
  public var hasCover = false

  /// A file that says nothing.
  public init() {}
}

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
