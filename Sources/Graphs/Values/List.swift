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

  /// Reads a setting inside one of the elements; the first part of the path is the element's number from 1.
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

/// A setting that may have no value: written `none`, or `~` where `none` is a word of the wrapped kind.
extension Optional: FieldValue where Wrapped: FieldValue {
  /// The default kind of a field of this type.
  public static var kind: ValueKind { Wrapped.kind.orNone }

  /// The declared kind, or `none`.
  public static func kind(declared: ValueKind) -> ValueKind { declared.orNone }

  /// Reads the value; nil after reporting a fault. [control]
  public static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> Wrapped?? {
    if case .scalar(let text, quoted: false) = tree.content,
      ["null", "~"].contains(text) || text == "none" && !kind.withoutNone.hasNone
    {
      return .some(nil)
    }
    return Wrapped.read(tree, as: kind.withoutNone, context).map { .some($0) }
  }

  /// Reads a setting inside the value; false without a value.
  public mutating func read(
    _ tree: Tree, at path: Substring, as kind: ValueKind, _ context: ReadContext
  ) -> Bool { self?.read(tree, at: path, as: kind.withoutNone, context) ?? false }

  /// The value as text of a graph file.
  public func written(as kind: ValueKind) -> String {
    map { $0.written(as: kind.withoutNone) } ?? kind.nothing
  }

  /// The value, or the word for no value.
  public func value(as kind: ValueKind) -> SettingValue {
    map { $0.value(as: kind.withoutNone) } ?? .written(kind.nothing)
  }

  /// The parts of the value whose change requires `change`, or the word for no value.
  public func written(as kind: ValueKind, asking change: Change) -> String {
    map { $0.written(as: kind.withoutNone, asking: change) } ?? kind.nothing
  }
}

extension ValueKind {
  private static let none = Choice("none", "without a value")

  /// Whether `none` is a word of this choice itself.
  var hasNone: Bool {
    if case .choice(let words) = self { words.contains { $0.word == "none" } } else { false }
  }

  /// The word for no value.
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

  /// The words that a reference explains: those of a choice, and of the choices among other kinds but `none`.
  var choices: [Choice] {
    switch self {
    case .choice(let words): words
    case .oneOf(let kinds): kinds.flatMap(\.choices).filter { $0.word != Self.none.word }
    default: []
    }
  }

  var withoutNone: ValueKind {
    guard case .oneOf(let kinds) = self, case .choice(let words) = kinds.last, words.count == 1,
      words[0].word == "none"
    else { return self }
    return kinds.count == 2 ? kinds[0] : .oneOf(kinds.dropLast())
  }
}
