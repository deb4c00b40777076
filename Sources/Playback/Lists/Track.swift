import System

/// A track of a list: its file, and what the list says of it. [any]
public struct Track: Equatable, Sendable {
  /// The audio file, relative to the working folder or absolute.
  public var path: String
  /// The title in the list, if there is one.
  public var title: String?
  /// The tags of the file; nil until they have been read.
  public var tags: AudioTags?
  /// The duration in the list, in seconds, if there is one.
  public var length: Double?

  /// Makes a track of a file.
  public init(_ path: String, title: String? = nil, length: Double? = nil) {
    self.path = path
    self.title = title
    self.length = length
  }

  /// The title of the tags, otherwise that of the list, otherwise the file name without its extension.
  public var name: String { tags?.title ?? title ?? Self.name(of: path) }

  /// Artist and album, as far as the tags have them.
  public func credits(dash: String) -> String {
    [tags?.artist, tags?.album].compactMap { $0 }.joined(separator: dash)
  }

  /// A file name without its folders and its extension.
  public static func name(of path: String) -> String {
    let file = FileName.shown(path.split(separator: "/").last.map(String.init) ?? path)
    guard let dot = file.lastIndex(of: "."), dot != file.startIndex else { return file }
    return String(file[..<dot])
  }
}
