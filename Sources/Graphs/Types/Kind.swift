/// What a setting's value may be: the one source of its checks, its help and its schema.
public indirect enum Kind: Sendable {
  /// A number in a unit, within a range (its ends belong to it); `whole` numbers only where said.
  case number(Unit, ClosedRange<Double>, whole: Bool = false)
  /// One of some words, each with what it means.
  case choice([Choice])
  /// True or false.
  case flag
  /// Any text; the pattern is an ECMA regular expression for the schema, if there is one, and `form` says it in words.
  /// Where it is not `isChecked`, the pattern is for the schema alone: who takes the text looks at it itself, and has
  /// better words for what is wrong.
  case text(pattern: String? = nil, form: String? = nil, isChecked: Bool = true)
  /// A file, relative to the graph file.
  case file
  /// A colour: a CSS name, `#RGB`, `#RRGGBB`, with or without alpha, `rgb()`, `hsl()`, or a list of 3 or 4 numbers 0…1.
  case colour
  /// Some values of one kind.
  case list(Kind, count: ClosedRange<Int>)
  /// Values of one kind under names of the user's choice.
  case map(Kind)
  /// Fields of their own; named, so that a record may hold itself.
  case record(any FieldRecord.Type)
  /// Any value; what it may be is known only where it is used.
  case anything
  /// Any of several kinds, tried in this order.
  case oneOf([Kind])

  /// One word of a choice.
  public struct Choice: Sendable {
    /// As the graph file writes it.
    public let word: String
    /// What it means, in half a sentence.
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
