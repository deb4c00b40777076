/// A word of a fixed set: an enum with text as its raw value.
public protocol FieldChoice: FieldValue, CaseIterable, RawRepresentable where RawValue == String {
  /// The word's meaning, as a phrase.
  var help: String { get }
  /// Other words that are accepted, and the case of each.
  static var aliases: [String: Self] { get }
}

extension FieldChoice {
  /// None, unless a type has some.
  public static var aliases: [String: Self] { [:] }

  /// The default kind of a field of this type.
  public static var kind: ValueKind {
    .choice(
      allCases.map { value in
        let others = aliases.filter { $0.value.rawValue == value.rawValue }.keys.sorted()
        return ValueKind.Choice(value.rawValue, value.help, aliases: others)
      })
  }

  /// Reads the value; nil after reporting a fault. [control]
  public static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> Self? {
    guard let text = tree.text, !tree.isNothing else {
      context.expected(kind.words, tree)
      return nil
    }
    if let value = Self(rawValue: text) ?? aliases[text] { return value }
    let words = allCases.map(\.rawValue)
    context.report(.unknownWord(context.subject, text, words: words, at: tree.mark))
    return nil
  }

  /// The value as text of a graph file.
  public func written(as kind: ValueKind) -> String { yamlText(rawValue) }
}
