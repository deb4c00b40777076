import Graphs

/// A record of numbers, written as a map (`{ x: 10 %, y: 20 pt }`) or as a list in the same order (`[10 %, 20 pt]`).
struct Coordinates<Value: FieldRecord & FieldValue>: FieldValue {
  var value: Value

  init(_ value: Value) { self.value = value }

  /// A map, or a list with as many entries as the map has keys. Documents say of all entries what the first field takes;
  /// `read` and `written` use the kind of each field, and not the kind of the declaration.
  static var kind: ValueKind {
    let count = Value.fields.count
    return .oneOf([.record(Value.self), .list(Value.fields[0].kind, count: count...count)])
  }

  /// Reads a value; nil where it is faulty, with the fault in `context`. [control]
  static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> Coordinates? {
    guard let list = tree.list else {
      guard tree.map != nil else {
        context.expected(words, tree)
        return nil
      }
      return Value.read(tree, as: Value.kind, context).map(Coordinates.init)
    }
    guard list.count == Value.fields.count else {
      context.report(.wrongCount(context.subject, list.count, takes: words, at: tree.mark))
      return nil
    }
    let pairs = zip(Value.fields, list).map { field, value in
      Tree.Pair(key: Tree(.scalar(field.name, quoted: true), mark: value.mark), value: value)
    }
    return Value.read(Tree(.map(pairs), mark: tree.mark), as: Value.kind, context).map(Coordinates.init)
  }

  private static var words: String {
    let names = Value.fields.map(\.name)
    return
      "a list [\(names.joined(separator: ", "))] or a map { \(names.map { "\($0): …" }.joined(separator: ", ")) }"
  }

  /// Reads one of the numbers by its path.
  mutating func read(_ tree: Tree, at path: Substring, as kind: ValueKind, _ context: ReadContext) -> Bool {
    value.read(tree, at: path, as: Value.kind, context)
  }

  /// The value in the form of a graph file.
  func written(as kind: ValueKind) -> String {
    "[" + Value.fields.map { $0.written(value) }.joined(separator: ", ") + "]"
  }
}
