/// A file that a graph names, relative to the folder of the file that names it.
public struct GraphFile: Hashable, FieldValue {
  /// The text in the graph file; empty where no file is named.
  public var text: String
  /// The path to open: the text itself where it begins with `/`, else relative to the graph file's folder.
  public var path: String
  /// The absolute path with symbolic links of its folders resolved, so that two names of one file compare equal. Where
  /// that is unknown, it is `path`.
  private(set) var place: String

  /// Makes a file; `folder` is the folder of the graph file.
  public init(_ text: String = "", in folder: String = ".") {
    self.text = text
    path = text.isEmpty || text.hasPrefix("/") ? text : folder == "." ? text : "\(folder)/\(text)"
    place = path
  }

  /// The default kind of a field of this type.
  public static var kind: ValueKind { .file }

  /// Reads the value; nil after reporting a fault. [control]
  public static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> GraphFile? {
    guard let text = tree.text, !text.isEmpty else {
      context.expected(kind.words, tree)
      return nil
    }
    guard text.utf8.count <= 4095, !text.utf8.contains(0) else {
      context.report(.notAPath(context.subject, text, at: tree.mark))
      return nil
    }
    var result = GraphFile(text, in: tree.mark.file.map(SourceText.folder) ?? context.folder)
    result.place = context.realPath(of: result.path)
    guard tree.mark.file != nil else { return result }
    // An included file named it, so it is relative to that file's folder. In the graph file its text would be another.
    let prefix = context.folder + "/"
    result.text = result.path.hasPrefix(prefix) ? String(result.path.dropFirst(prefix.count)) : result.path
    return result
  }

  /// The value as text of a graph file.
  public func written(as kind: ValueKind) -> String { yamlText(text) }

  /// The place: one file may be written in several ways, and one text names different files in two folders.
  public func written(as kind: ValueKind, asking change: Change) -> String { yamlText(place) }
}
