/// Values of one kind; where the kind is one-of, a single value stands for a list of one.
extension Array: FieldValue where Element: FieldValue {
  /// The kind when a declaration names none.
  public static var kind: ValueKind { .list(Element.kind, count: 0...Limits.events) }

  /// Reads it; when it is at fault that goes to `context`, and the result is nil. [control]
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

  /// What lies in one of the values, found by its number from 1.
  public mutating func read(
    _ tree: Tree, at path: Substring, as kind: ValueKind, _ context: ReadContext
  ) -> Bool {
    let (head, rest) = ValueKind.split(path)
    guard let (inner, _) = kind.asList, let rest, let number = Int(head), indices.contains(number &- 1) else {
      return false
    }
    return self[number - 1].read(tree, at: rest, as: inner, context)
  }

  /// As a graph file would write it.
  public func written(as kind: ValueKind) -> String {
    guard let (inner, _) = kind.asList else { return "[]" }
    return "[" + map { $0.written(as: inner) }.joined(separator: ", ") + "]"
  }

  /// What of the values asks for `change`.
  public func written(as kind: ValueKind, asking change: Change) -> String {
    guard let (inner, _) = kind.asList else { return "[]" }
    return "[" + map { $0.written(as: inner, asking: change) }.joined(separator: ", ") + "]"
  }
}

extension ValueKind {
  var asList: (inner: ValueKind, count: ClosedRange<Int>)? {
    switch self {
    case .list(let inner, let count): return (inner, count)
    case .oneOf(let kinds): return kinds.firstFound(\.asList)
    default: return nil
    }
  }

  /// The kind that a single value has in place of a list.
  var asSingle: ValueKind? {
    guard case .oneOf(let kinds) = self else { return nil }
    let others = kinds.filter { $0.asList == nil }
    return others.count > 1 ? .oneOf(others) : others.first
  }
}

/// A setting that may be without a value: `none` says so, or `~` where `none` is a value itself.
extension Optional: FieldValue where Wrapped: FieldValue {
  /// The kind when a declaration names none.
  public static var kind: ValueKind { Wrapped.kind.orNone }

  /// The declared kind, or `none`.
  public static func kind(declared: ValueKind) -> ValueKind { declared.orNone }

  /// Reads it; when it is at fault that goes to `context`, and the result is nil. [control]
  public static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> Wrapped?? {
    if case .scalar(let text, quoted: false) = tree.content,
      ["null", "~"].contains(text) || text == "none" && !kind.withoutNone.hasNone
    {
      return .some(nil)
    }
    return Wrapped.read(tree, as: kind.withoutNone, context).map { .some($0) }
  }

  /// What lies in the value, if there is one.
  public mutating func read(
    _ tree: Tree, at path: Substring, as kind: ValueKind, _ context: ReadContext
  ) -> Bool { self?.read(tree, at: path, as: kind.withoutNone, context) ?? false }

  /// As a graph file would write it.
  public func written(as kind: ValueKind) -> String {
    map { $0.written(as: kind.withoutNone) } ?? kind.nothing
  }

  /// The value itself, or what says that there is none.
  public func value(as kind: ValueKind) -> SettingValue {
    map { $0.value(as: kind.withoutNone) } ?? .written(kind.nothing)
  }

  /// What of the value asks for `change`.
  public func written(as kind: ValueKind, asking change: Change) -> String {
    map { $0.written(as: kind.withoutNone, asking: change) } ?? kind.nothing
  }
}

extension ValueKind {
  private static let none = Choice("none", "without a value")

  /// Whether `none` is one of its own words.
  var hasNone: Bool {
    if case .choice(let words) = self { words.contains { $0.word == "none" } } else { false }
  }

  /// What says that there is no value.
  fileprivate var nothing: String { withoutNone.hasNone ? "~" : "none" }

  /// This kind, or the word `none`.
  var orNone: ValueKind {
    if hasNone { return self }
    if case .oneOf(let kinds) = self, case .choice(let words) = kinds.last,
      words.contains(where: { $0.word == "none" })
    {
      return self
    }
    return .oneOf([self, .choice([Self.none])])
  }

  var withoutNone: ValueKind {
    guard case .oneOf(let kinds) = self, case .choice(let words) = kinds.last, words.count == 1,
      words[0].word == "none"
    else { return self }
    return kinds.count == 2 ? kinds[0] : .oneOf(kinds.dropLast())
  }
}
