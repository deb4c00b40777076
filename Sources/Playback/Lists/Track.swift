/// One piece of a list: where its file lies, and what the list says of it. [control]
public struct Track: Equatable, Sendable {
  /// The audio file, relative to the working folder or absolute.
  public var path: String
  /// What the list calls it; nil where it does not, or where there was no list.
  public var title: String?
  /// How long the list says it is, in seconds; nil where it does not.
  public var length: Double?

  /// Names a file.
  public init(_ path: String, title: String? = nil, length: Double? = nil) {
    self.path = path
    self.title = title
    self.length = length
  }

  /// The title, else the file's name without its ending.
  public var name: String { title ?? Self.name(of: path) }

  /// A file's name without its folders and its ending.
  public static func name(of path: String) -> String {
    let file = path.split(separator: "/").last.map(String.init) ?? path
    guard let dot = file.lastIndex(of: "."), dot != file.startIndex else { return file }
    return String(file[..<dot])
  }
}
