/// Looks at a picture by its path: what is wrong with it, as a code and a sentence; nil when it can be shown. `pixels`
/// counts those of all pictures of a graph so far, and is the number to add to. [control]
public typealias PictureCheck =
  @Sendable (_ path: String, _ pixels: inout Int) -> (code: String, sentence: String)?

/// The node types that a graph file may use, in the order of the docs.
public struct Catalogue: Sendable {
  /// The types.
  public let types: [any NodeType.Type]
  private let byName: [String: any NodeType.Type]
  let pictureCheck: PictureCheck?

  /// Makes a catalogue; of two types with one name the first is taken, and `mistakes` tells. Without `pictures` the
  /// pictures that a graph names are taken unseen.
  public init(types: [any NodeType.Type], pictures: PictureCheck? = nil) {
    self.types = types
    pictureCheck = pictures
    var byName: [String: any NodeType.Type] = [:]
    for type in types {
      for name in [type.name] + type.aliases where byName[name] == nil { byName[name] = type }
    }
    self.byName = byName
  }

  /// The type of a name or an older name.
  public subscript(name: String) -> (any NodeType.Type)? { byName[name] }

  /// The names, in the order of the docs, without older ones.
  public var names: [String] { types.map { $0.name } }
}
