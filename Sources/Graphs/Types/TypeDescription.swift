/// A node type as data, from which help, docs and schema are made.
public struct TypeDescription: Sendable {
  /// A port.
  public struct Port: Sendable {
    /// The name in wires.
    public let name: String
    /// The types of wire: `audio`, `levels in dBFS or levels 0…1`, `the same as the first input`.
    public let carries: String
    /// The unit of an output's levels; nil: none, or that of the first input.
    public let unit: String?
    /// Type and unit as a phrase: `levels in LUFS`.
    public let words: String
    /// Whether an input must be wired.
    public let required: Bool
    /// The purpose of the port.
    public let help: String
  }

  /// A setting.
  public struct Setting: Sendable {
    /// The name.
    public let name: String
    /// Older or longer names that are accepted.
    public let aliases: [String]
    /// What it does.
    public let help: String
    /// The values that are allowed.
    public let kind: ValueKind
    /// The default, as text of a graph file.
    public let initial: String
    /// What a change of the value requires.
    public let change: Change
    /// Whether single channels may have a value of their own.
    public let each: Bool
  }

  /// The name in graph files.
  public let name: String
  /// Older names.
  public let aliases: [String]
  /// What it does.
  public let help: String
  /// The latency of its results, in words; nil: none.
  public let delay: String?
  /// What a scene does to it that has it off; nil: it cannot be off.
  public let off: String?
  /// A few lines of a graph file that show its use.
  public let example: String?
  /// The input ports with default settings.
  public let inputs: [Port]
  /// The output ports with default settings.
  public let outputs: [Port]
  /// The settings, in the order of the docs.
  public let settings: [Setting]

  /// Describes a type.
  public init<Type: NodeType>(_ type: Type.Type) {
    let settings = Type.Settings()
    name = Type.name
    aliases = Type.aliases
    help = Type.help
    delay = Type.delay
    off = Type.off.map { "\($0.help) (`\($0.setting): \($0.value)`)" }
    example = Type.example
    inputs = Type.inputs(settings).map { port in
      let carries = port.accepts.map(\.words).joined(separator: " or ")
      return Port(
        name: port.name, carries: carries, unit: nil, words: carries, required: port.required, help: port.help
      )
    }
    outputs = Type.outputs(settings).map { port in
      let unit = port.unit()
      let (carries, words) =
        switch port.gives {
        case .type(let type): (type.words, type.words(in: unit))
        case .asFirstInput: ("the same as the first input", "the same as the first input")
        }
      return Port(
        name: port.name, carries: carries, unit: unit?.rawValue, words: words, required: false,
        help: port.help)
    }
    self.settings = Self.settings(of: Type.Settings.self)
  }

  /// Describes the fields of any record.
  public static func settings<Record: FieldRecord>(of record: Record.Type) -> [Setting] {
    let defaults = Record()
    return Record.fields.map { field in
      Setting(
        name: field.name, aliases: field.aliases, help: field.help, kind: field.kind,
        initial: field.written(defaults), change: field.change, each: field.each)
    }
  }

  /// The first sentence of the help: up to the first full stop before white space, as `0.5` and `E1.31` have stops too.
  public var summary: String {
    let scalars = help.unicodeScalars
    for index in scalars.indices where scalars[index] == "." {
      let next = scalars.index(after: index)
      if next == scalars.endIndex || scalars[next].properties.isWhitespace { return String(scalars[..<next]) }
    }
    return help
  }

  /// The records inside its settings, each once, in the order of their first use.
  public var records: [any FieldRecord.Type] { Self.records(in: settings.map(\.kind)) }

  static func records(in kinds: [ValueKind]) -> [any FieldRecord.Type] {
    var found: [any FieldRecord.Type] = []
    var waiting = Array(kinds.reversed())
    while let kind = waiting.popLast() {
      switch kind {
      case .list(let inner, _), .map(let inner): waiting.append(inner)
      case .oneOf(let kinds): waiting += kinds.reversed()
      case .record(let record):
        guard !found.contains(where: { $0 == record }) else { continue }
        found.append(record)
        waiting += record.kinds.reversed()
      default: break
      }
    }
    return found
  }
}

extension Catalog {
  /// The types as data, in the order of the catalog.
  public var descriptions: [TypeDescription] { types.map { Self.description($0) } }

  private static func description<Type: NodeType>(_ type: Type.Type) -> TypeDescription {
    TypeDescription(type)
  }
}
