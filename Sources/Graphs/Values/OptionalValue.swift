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

  /// Reads a setting inside the value; false, with nothing reported, without a value.
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

  /// Whether `none` is a word of this choice itself. No setting that may be missing has a choice with such a
  /// word among other kinds: it would be read as no value.
  var hasNone: Bool {
    if case .choice(let words) = self { words.contains { $0.word == "none" } } else { false }
  }

  /// The word for no value.
  fileprivate var nothing: String { withoutNone.hasNone ? "~" : "none" }

  /// This kind, or the word `none` if it is no word of this kind yet.
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

  /// This kind without the `none` that `orNone` has added.
  var withoutNone: ValueKind {
    guard case .oneOf(let kinds) = self, case .choice(let words) = kinds.last, words.count == 1,
      words[0].word == "none"
    else { return self }
    return kinds.count == 2 ? kinds[0] : .oneOf(kinds.dropLast())
  }
}
