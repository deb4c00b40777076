/// A file that a graph names, relative to the folder of the file that names it.
public struct GraphFile: Hashable, FieldValue {
  /// As the graph file has it; empty where none is named.
  public var text: String
  /// Where it lies: the text itself when it begins with `/`, else under the graph file's folder.
  public var path: String
  /// The same from the root, folders that are links followed: two graphs that name one file have one place. Where it is
  /// not known, the path.
  private(set) var place: String

  /// Makes a file; `folder` is the folder of the graph file.
  public init(_ text: String = "", in folder: String = ".") {
    self.text = text
    path = text.isEmpty || text.hasPrefix("/") ? text : folder == "." ? text : "\(folder)/\(text)"
    place = path
  }

  /// The kind when a declaration names none.
  public static var kind: ValueKind { .file }

  /// Reads it; when it is at fault that goes to `context`, and the result is nil. [control]
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
    result.place = context.place(of: result.path)
    guard tree.mark.file != nil else { return result }
    // Named by a file that the graph names: relative to that one. As the graph would write it, it is another text.
    let prefix = context.folder + "/"
    result.text = result.path.hasPrefix(prefix) ? String(result.path.dropFirst(prefix.count)) : result.path
    return result
  }

  /// As a graph file would write it.
  public func written(as kind: ValueKind) -> String { yamlText(text) }

  /// Its place: the same file may be written in several ways, and one text means different files in two folders.
  public func written(as kind: ValueKind, asking change: Change) -> String { yamlText(place) }
}
