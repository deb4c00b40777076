/// Metadata of a graph besides its name: identifier, version, author, description and licence. [any]
public struct GraphIdentity: Equatable, Sendable {
  /// A stable identifier for programs, such as `org.example.museum`; it stays when the name changes.
  public var id: String?
  /// The version of the graph, in whatever form its author counts.
  public var version: String?
  /// The author.
  public var author: String?
  /// A description in a few sentences.
  public var description: String?
  /// The terms of use.
  public var licence: String?

  /// Makes an empty identity.
  public init() {}

  /// The keys that are set, with their texts, in the order of the docs.
  public var pairs: [(name: String, text: String)] {
    [
      ("id", id), ("version", version), ("author", author), ("description", description),
      ("licence", licence),
    ].compactMap { name, text in text.map { (name, $0) } }
  }
}
