/// A list of values of one kind. Where the kind is one-of, a single value is read as a list of one.
extension Array: FieldValue where Element: FieldValue {
  /// The default kind of a field of this type.
  public static var kind: ValueKind { .list(Element.kind, count: 0...Limits.events) }

  /// Reads the value; nil after reporting a fault. [control]
  public static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> [Element]? {
    guard let (inner, count) = kind.asList else { fatalError("a list is declared as \(kind.words)") }
    guard let values = tree.list else {
      if let single = kind.asSingle, !tree.isNothing {
        return Element.read(tree, as: single, context).map { [$0] }
      }
      if tree.isNothing, count.contains(0) { return [] }
      context.expected(kind.words, tree)
      return nil
    }
    guard count.contains(values.count) else {
      context.report(.wrongCount(context.subject, values.count, takes: kind.words, at: tree.mark))
      return nil
    }
    var result: [Element] = []
    for (index, value) in values.enumerated() {
      let element = context.within("\(index + 1)") { Element.read(value, as: inner, context) }
      if let element { result.append(element) }
    }
    return result.count == values.count ? result : nil
  }

  /// Reads a setting inside one of the elements; the first part of the path is the element's number from 1. False, with
  /// nothing reported, if the path leads to no element.
  public mutating func read(
    _ tree: Tree, at path: Substring, as kind: ValueKind, _ context: ReadContext
  ) -> Bool {
    let (head, rest) = ValueKind.split(path)
    guard let (inner, _) = kind.asList, let rest, let number = Int(head), indices.contains(number &- 1) else {
      return false
    }
    return self[number - 1].read(tree, at: rest, as: inner, context)
  }

  /// The value as text of a graph file.
  public func written(as kind: ValueKind) -> String {
    guard let (inner, _) = kind.asList else { return "[]" }
    return "[" + map { $0.written(as: inner) }.joined(separator: ", ") + "]"
  }

  /// The parts of the elements whose change requires `change`.
  public func written(as kind: ValueKind, asking change: Change) -> String {
    guard let (inner, _) = kind.asList else { return "[]" }
    return "[" + map { $0.written(as: inner, asking: change) }.joined(separator: ", ") + "]"
  }
}

extension ValueKind {
  /// The kind and the number of entries of a list; where the kind is one-of, of the first list among its kinds.
  var asList: (inner: ValueKind, count: ClosedRange<Int>)? {
    switch self {
    case .list(let inner, let count): return (inner, count)
    case .oneOf(let kinds): return kinds.firstFound(\.asList)
    default: return nil
    }
  }

  /// The kind of a single value that may stand in place of a list.
  var asSingle: ValueKind? {
    guard case .oneOf(let kinds) = self else { return nil }
    let others = kinds.filter { $0.asList == nil }
    return others.count > 1 ? .oneOf(others) : others.first
  }
}
