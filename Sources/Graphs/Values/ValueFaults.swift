/// Diagnostics of values and of names of settings.
extension Diagnostic {
  static func wrongKind(_ subject: String, is tree: Tree, takes: String, notes: [String]) -> Diagnostic {
    let found = tree.isNothing ? "\(subject) has no value" : "\(subject) is \(tree.words)"
    var fault = Diagnostic("wrong-value", "\(found); it takes \(takes)", at: tree.mark, notes: notes)
    fault.isValueMissing = tree.isNothing
    return fault
  }

  static func unknownUnit(
    _ subject: String, _ word: String, _ unit: Unit, takes: String, at mark: SourceRange
  ) -> Diagnostic {
    let units = unit.words
    let allowed =
      units.isEmpty
      ? "without a unit"
      : "in " + units.filter { !$0.hasSuffix("s") || $0.utf8.count < 3 }.joined(separator: ", ")
    return Diagnostic(
      "unknown-unit", "\(subject) has the unit \(quote(word)); it takes \(takes), \(allowed)", at: mark,
      notes: unit.word(meantBy: word).map { ["did you mean \($0)?"] } ?? didYouMean(word, units))
  }

  static func outOfRange(_ subject: String, _ text: String, takes: String, at mark: SourceRange) -> Diagnostic
  {
    Diagnostic("out-of-range", "\(subject) is \(plain(text)); it takes \(takes)", at: mark)
  }

  /// A list with a number of values that its kind does not take.
  public static func wrongCount(_ subject: String, _ count: Int, takes: String, at mark: SourceRange)
    -> Diagnostic
  {
    Diagnostic(
      "wrong-count", "\(subject) has \(count) \(count == 1 ? "value" : "values"); it takes \(takes)", at: mark
    )
  }

  static func unknownWord(
    _ subject: String, _ text: String, words: [String], at mark: SourceRange
  ) -> Diagnostic {
    Diagnostic(
      "unknown-word",
      "\(subject) is \(quote(text)); it takes \(ValueKind.choice(words.map { .init($0, "") }).words)",
      at: mark, notes: didYouMean(text, words))
  }

  static func doesNotFit(
    _ subject: String, _ text: String, pattern: String, form: String?, at mark: SourceRange
  ) -> Diagnostic {
    if let form {
      return Diagnostic("wrong-text", "\(subject) is \(quote(text)); it takes \(form)", at: mark)
    }
    return Diagnostic(
      "wrong-text", "\(subject) is \(quote(text)), which has the wrong form", at: mark,
      notes: ["the form, as a regular expression: \(pattern)"])
  }

  static func notAPath(_ subject: String, _ text: String, at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "wrong-path", "\(subject) is not a valid path: a path has at most 4095 bytes, and no byte 0", at: mark)
  }

  static func unknownColor(
    _ subject: String, _ text: String, takes: String, notes: [String], at mark: SourceRange
  ) -> Diagnostic {
    Diagnostic(
      "unknown-colour", "\(subject) is \(quote(text)); it takes \(takes)", at: mark,
      notes: !notes.isEmpty ? notes : didYouMean(text.lowercased(), CSSColorNames.values.keys.sorted()))
  }

  static func emptyName(_ subject: String, at mark: SourceRange) -> Diagnostic {
    Diagnostic("empty-name", "a name in \(subject) is empty", at: mark)
  }

  /// A key that its owner does not have. `quick`: leaves out suggestions, which take time.
  static func unknownSetting(
    _ key: String, of owner: String, allowed: [String], at mark: SourceRange, quick: Bool,
    meant: String? = nil
  ) -> Diagnostic {
    var notes =
      meant.map { ["did you mean \($0)?"] } ?? (quick ? [] : didYouMean(key, allowed))
    if key == "<<" { notes = ["to reuse the settings of a node write like: ID"] }
    notes.append(
      allowed.isEmpty ? "it has no settings" : "possible settings: \(allowed.joined(separator: ", "))")
    return Diagnostic("unknown-setting", "\(owner) has no setting \(quote(key))", at: mark, notes: notes)
  }

  static func givenTwice(_ name: String, as key: String, at mark: SourceRange, firstLine: Int) -> Diagnostic {
    let other = key == name ? "" : " as \(plain(key))"
    return Diagnostic(
      "duplicate-key", "\(name) is repeated\(other); the first is in line \(firstLine)", at: mark,
      notes: ["remove one of the two"])
  }
}
