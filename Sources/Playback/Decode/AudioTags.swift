/// What an audio file says of its music. [any]
public struct AudioTags: Equatable, Sendable {
  /// The title.
  public var title: String?
  /// Who plays it.
  public var artist: String?
  /// What it is from.
  public var album: String?
  /// Whether there is a picture; `AudioReader.cover()` gives it.
  public var hasCover = false

  /// A file that says nothing.
  public init() {}
}
