extension String: FieldValue {
  /// The default kind of a field of this type.
  public static var kind: ValueKind { .text() }

  /// Reads the value; nil after reporting a fault. [control]
  public static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> String? {
    guard let text = tree.text, !tree.isNothing else {
      let note =
        tree.isNothing ? ["for an empty text write \"\"; put a text with # in quotes"] : []
      context.expected(kind.words, tree, notes: note)
      return nil
    }
    guard let pattern = kind.pattern, !context.fits(text, pattern) else { return text }
    context.report(.doesNotFit(context.subject, text, pattern: pattern, form: kind.form, at: tree.mark))
    return nil
  }

  /// The value as text of a graph file.
  public func written(as kind: ValueKind) -> String { yamlText(self) }
}

extension ValueKind {
  fileprivate var form: String? {
    switch self {
    case .text(_, let form, _): return form
    case .oneOf(let kinds): return kinds.firstFound(\.form)
    default: return nil
    }
  }

  /// The regular expression that a text must match.
  var pattern: String? {
    switch self {
    case .text(let pattern, _, let isChecked): return isChecked ? pattern : nil
    case .oneOf(let kinds): return kinds.firstFound(\.pattern)
    default: return nil
    }
  }
}
