/// The values that a setting may have. Checks, help and schema are derived from it.
public indirect enum ValueKind: Sendable {
  /// A number in a unit, within a closed range; `whole`: integers only.
  case number(Unit, ClosedRange<Double>, whole: Bool = false)
  /// One word of several, each with its meaning.
  case choice([Choice])
  /// True or false.
  case flag
  /// Any text. `pattern` is an ECMA regular expression, and `form` says the same in words. Without `isChecked` the
  /// pattern is for the schema alone, and the code that takes the text reports its faults.
  case text(pattern: String? = nil, form: String? = nil, isChecked: Bool = true)
  /// A file, relative to the graph file.
  case file
  /// A color: a CSS name, `#RGB`, `#RRGGBB`, with or without alpha, `rgb()`, `hsl()`, or a list of 3 or 4 numbers 0…1.
  case color
  /// A list of values of one kind.
  case list(ValueKind, count: ClosedRange<Int>)
  /// A map from names of the user's choice to values of one kind.
  case map(ValueKind)
  /// A record with fields. The type is named, so a record may contain itself.
  case record(any FieldRecord.Type)
  /// Any value; it is checked where it is used.
  case anything
  /// Any of several kinds, tried in this order.
  case oneOf([ValueKind])

  /// One word of a choice.
  public struct Choice: Sendable {
    /// As the graph file writes it.
    public let word: String
    /// The word's meaning, as a phrase.
    public let help: String
    /// Other words that are understood for it.
    public let aliases: [String]

    /// Makes a word.
    public init(_ word: String, _ help: String, aliases: [String] = []) {
      self.word = word
      self.help = help
      self.aliases = aliases
    }
  }
}

extension [ValueKind] {
  /// The first result of `look` among the kinds. `look` recurses through this function, so inlining would unroll it to
  /// tens of kilobytes at each use.
  @inline(never) func firstFound<T>(_ look: (ValueKind) -> T?) -> T? {
    for kind in self {
      if let found = look(kind) { return found }
    }
    return nil
  }
}

/// A word with its article, as in `a cue` and `an alarm`; a plural, such as `hooks`, as it is.
func indefinite(_ word: String) -> String {
  let noun = word.prefix { $0 != " " }
  if noun.hasSuffix("s") && !noun.hasSuffix("ss") && !noun.hasSuffix("'s") { return word }
  return ("aeiou".contains(word.prefix(1)) ? "an " : "a ") + word
}

extension ValueKind {
  /// A number with any unit word.
  public static let quantityPattern = "^ *[-+]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+)? *[^0-9 ]*$"

  /// Two values of a kind.
  public static func pair(_ kind: ValueKind) -> ValueKind { .list(kind, count: 2...2) }

  /// The kind as a phrase for diagnostics: `a number 0…60 s`, `one of disk, line`, `true or false`.
  public var words: String {
    switch self {
    case .number(let unit, let range, let whole):
      let name = whole ? "a whole number" : "a number"
      let span = ValueKind.words(for: range, unit)
      let more = unit == .ratio ? " (or %)" : unit == .gain ? " (or -inf dB or off: silence)" : ""
      return (span.isEmpty ? unit.symbol.isEmpty ? name : "\(name) in \(unit.symbol)" : "\(name) \(span)")
        + more
    case .choice(let choices):
      return choices.count == 1 ? choices[0].word : "one of " + choices.map(\.word).joined(separator: ", ")
    case .flag: return "true or false"
    case .text(_, let form, _): return form.map { "text: \($0)" } ?? "text"
    case .file: return "the path of a file"
    case .color:
      return
        "a color: a CSS name, \"#RGB\", \"#RRGGBB\" or \"#RRGGBBAA\", rgb(255 128 0) or hsl(30 100% 50%), or 3 or 4 numbers 0…1 in a list"
    case .list(let inner, let count):
      if count.lowerBound == count.upperBound { return "a list of \(count.lowerBound), each \(inner.words)" }
      let most = count.upperBound >= Limits.events ? "" : " of \(count.lowerBound) to \(count.upperBound)"
      let least = most.isEmpty && count.lowerBound > 0 ? " of \(count.lowerBound) or more" : most
      return "a list\(least), each \(inner.words)"
    case .map(.anything): return "a map from paths to values of any kind"
    case .map(let inner): return "a map from names of your choice to values, each \(inner.words)"
    case .record(let record): return "the settings of \(indefinite(record.recordName))"
    case .anything: return "anything"
    case .oneOf(let kinds): return kinds.map(\.words).joined(separator: ", or ")
    }
  }

  /// The range of a number as text, such as `0…60 s`; nil for kinds without numbers.
  public var span: String? { asNumber.map { Self.words(for: $0.range, $0.unit) } }

  /// A range as text: `0…60 s`, `of at least 0 s`; empty where the range has no ends.
  static func words(for range: ClosedRange<Double>, _ unit: Unit) -> String {
    let symbol = unit.symbol.isEmpty ? "" : " \(unit.symbol)"
    let low = range.lowerBound > -1e15
    let high = range.upperBound < 1e15
    switch (low, high) {
    case (true, true): return "\(shortest(range.lowerBound))…\(shortest(range.upperBound))\(symbol)"
    case (true, false): return "of at least \(shortest(range.lowerBound))\(symbol)"
    case (false, true): return "of at most \(shortest(range.upperBound))\(symbol)"
    case (false, false): return ""
    }
  }
}
