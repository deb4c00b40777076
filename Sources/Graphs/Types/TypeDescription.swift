/// A node type as data, for everything that is made of its declaration.
public struct TypeDescription: Sendable {
  /// A port.
  public struct Port: Sendable {
    /// The name in wires.
    public let name: String
    /// `audio`, `levels in dBFS or levels 0…1`, `the same as the first input`.
    public let carries: String
    /// For an output: the unit of its levels; nil: none, or that of the first input.
    public let unit: String?
    /// The same two in words: `levels in LUFS`.
    public let words: String
    /// For an input: whether something must be wired to it.
    public let required: Bool
    /// What it is for.
    public let help: String
  }

  /// A setting.
  public struct Setting: Sendable {
    /// The name.
    public let name: String
    /// Older or longer names.
    public let aliases: [String]
    /// What it does.
    public let help: String
    /// What its value may be.
    public let kind: ValueKind
    /// The default, as a graph file would write it.
    public let initial: String
    /// What a change of it asks for.
    public let change: Change
    /// Whether single channels may have their own.
    public let each: Bool
  }

  /// The name in graph files.
  public let name: String
  /// Older names.
  public let aliases: [String]
  /// What it does.
  public let help: String
  /// By how much its results lie behind what they are made from; nil: not at all.
  public let delay: String?
  /// What it means that a scene has it off; nil: none can.
  public let off: String?
  /// A few lines of a graph file.
  public let example: String?
  /// The ports with default settings.
  public let inputs: [Port]
  /// The ports with default settings.
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

  /// The help up to the end of its first sentence.
  public var summary: String {
    guard let stop = help.unicodeScalars.firstIndex(of: "."),
      let end = help.unicodeScalars.index(stop, offsetBy: 1, limitedBy: help.endIndex)
    else { return help }
    return String(help[..<end])
  }

  /// The records that its settings hold, each once, in the order in which they are met.
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
