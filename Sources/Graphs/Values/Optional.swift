/// A setting that may be without a value: `none` says so.
extension Optional: FieldValue where Wrapped: FieldValue {
  /// The kind when a declaration names none.
  public static var kind: Kind { Wrapped.kind.orNone }

  /// The declared kind, or `none`.
  public static func kind(declared: Kind) -> Kind { declared.orNone }

  /// Reads it; when it is at fault that goes to `reading`, and the result is nil. [control]
  public static func read(_ tree: Tree, as kind: Kind, _ reading: Reading) -> Wrapped?? {
    if case .scalar(let text, quoted: false) = tree.content, ["none", "null", "~"].contains(text) {
      return .some(nil)
    }
    return Wrapped.read(tree, as: kind.withoutNone, reading).map { .some($0) }
  }

  /// As a graph file would write it.
  public func written(as kind: Kind) -> String {
    map { $0.written(as: kind.withoutNone) } ?? "none"
  }

  /// What of the value asks for `change`.
  public func written(as kind: Kind, asking change: Change) -> String {
    map { $0.written(as: kind.withoutNone, asking: change) } ?? "none"
  }
}

extension Kind {
  private static let none = Choice("none", "without a value")

  /// This kind, or the word `none`.
  var orNone: Kind {
    if case .oneOf(let kinds) = self, case .choice(let words) = kinds.last,
      words.contains(where: { $0.word == "none" })
    {
      return self
    }
    return .oneOf([self, .choice([Self.none])])
  }

  var withoutNone: Kind {
    guard case .oneOf(let kinds) = self, case .choice(let words) = kinds.last, words.count == 1,
      words[0].word == "none"
    else { return self }
    return kinds.count == 2 ? kinds[0] : .oneOf(kinds.dropLast())
  }
}
