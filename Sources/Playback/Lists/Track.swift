import System

/// One piece of a list: where its file lies, and what the list says of it. [any]
public struct Track: Equatable, Sendable {
  /// The audio file, relative to the working folder or absolute.
  public var path: String
  /// What the list calls it; nil where it does not, or where there was no list.
  public var title: String?
  /// What its file says; nil as long as nobody has read it.
  public var tags: AudioTags?
  /// How long the list says it is, in seconds; nil where it does not.
  public var length: Double?

  /// Names a file.
  public init(_ path: String, title: String? = nil, length: Double? = nil) {
    self.path = path
    self.title = title
    self.length = length
  }

  /// What its file calls it, else what the list does, else the file's name without its ending.
  public var name: String { tags?.title ?? title ?? Self.name(of: path) }

  /// Who plays it and what it is from, as far as its file says.
  public func credits(dash: String) -> String {
    [tags?.artist, tags?.album].compactMap { $0 }.joined(separator: dash)
  }

  /// A file's name without its folders and its ending.
  public static func name(of path: String) -> String {
    let file = FileName.shown(path.split(separator: "/").last.map(String.init) ?? path)
    guard let dot = file.lastIndex(of: "."), dot != file.startIndex else { return file }
    return String(file[..<dot])
  }
}
