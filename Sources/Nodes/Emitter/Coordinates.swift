import Graphs

/// A few numbers, written as a map (`{ x: 10 %, y: 20 pt }`) or as a list in the same order (`[10 %, 20 pt]`).
struct Coordinates<Value: FieldRecord & FieldValue>: FieldValue {
  /// The numbers.
  var value: Value

  /// Wraps numbers.
  init(_ value: Value) { self.value = value }

  /// A map, or a list as long as the map has keys.
  static var kind: Kind {
    let count = Value.fields.count
    return .oneOf([.record(Value.self), .list(Value.fields[0].kind, count: count...count)])
  }

  /// Reads it; when it is at fault that goes to `reading`, and the result is nil. [control]
  static func read(_ tree: Tree, as kind: Kind, _ reading: Reading) -> Coordinates? {
    guard let list = tree.list else {
      guard tree.map != nil else {
        reading.expected(words, tree)
        return nil
      }
      return Value.read(tree, as: Value.kind, reading).map(Coordinates.init)
    }
    guard list.count == Value.fields.count else {
      reading.report(
        Diagnostic(
          "wrong-count",
          "\(reading.subject) has \(list.count) \(list.count == 1 ? "value" : "values"); it takes \(words)",
          at: tree.mark))
      return nil
    }
    let pairs = zip(Value.fields, list).map { field, value in
      Tree.Pair(key: Tree(.scalar(field.name, quoted: true), mark: value.mark), value: value)
    }
    return Value.read(Tree(.map(pairs), mark: tree.mark), as: Value.kind, reading).map(Coordinates.init)
  }

  private static var words: String {
    let names = Value.fields.map(\.name)
    return
      "a list [\(names.joined(separator: ", "))] or a map { \(names.map { "\($0): …" }.joined(separator: ", ")) }"
  }

  /// As a graph file would write it.
  func written(as kind: Kind) -> String {
    "[" + Value.fields.map { $0.written(value) }.joined(separator: ", ") + "]"
  }
}
