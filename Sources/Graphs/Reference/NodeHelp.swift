/// The text that `visgraph nodes` prints.
public enum NodeHelp {
  /// All types, a line each.
  public static func list(_ catalog: Catalog) -> String {
    let types = catalog.descriptions
    let width = types.map(\.name.count).max() ?? 0
    return types.map { padded($0.name, width) + "  " + $0.summary + "\n" }.joined()
  }

  /// One type with its ports and settings.
  public static func text(_ type: TypeDescription) -> String {
    var text = "\(type.name)\n\n\(type.help)\n"
    if !type.aliases.isEmpty { text += "\nAlso called \(type.aliases.joined(separator: ", ")).\n" }
    if let delay = type.delay { text += "\nDelay: \(delay).\n" }
    if let off = type.off { text += "\nOff in a scene: \(off).\n" }
    text += ports("Inputs", type.inputs) + ports("Outputs", type.outputs)
    text += settings("Settings", type.settings)
    for record in type.records {
      text += settings("Settings of \(indefinite(record.recordName))", fields(of: record))
    }
    if let example = type.example {
      let lines = example.split(separator: "\n", omittingEmptySubsequences: false)
      text += "\nExample\n" + lines.map { $0.isEmpty ? "\n" : "  \($0)\n" }.joined()
    }
    return text
  }

  /// The settings of the head of a graph (`head`), or of a record in it, such as `stage`; nil for any other name.
  public static func head(_ name: String) -> String? {
    let record: (any FieldRecord.Type)? =
      name == "head" ? GraphHeader.self : headRecords.first { $0.recordName == name }
    guard let record else { return nil }
    return String(settings("Settings of \(indefinite(record.recordName))", fields(of: record)).dropFirst())
  }

  /// The records in the head of a graph and in fixture files, each once.
  static let headRecords = TypeDescription.records(in: GraphHeader.kinds + [.record(FixtureFile.self)])

  static func fields<Record: FieldRecord>(of record: Record.Type) -> [TypeDescription.Setting] {
    TypeDescription.settings(of: record)
  }

  private static func ports(_ title: String, _ ports: [TypeDescription.Port]) -> String {
    if ports.isEmpty { return "" }
    let width = ports.map(\.name.count).max() ?? 0
    return "\n\(title)\n"
      + ports.map { port in
        "  \(padded(port.name, width))  \(port.words)\(port.required ? ", required" : "")\n"
          + "  \(padded("", width))    \(port.help)\n"
      }.joined()
  }

  private static func settings(_ title: String, _ settings: [TypeDescription.Setting]) -> String {
    if settings.isEmpty { return "" }
    let width = settings.map(\.name.count).max() ?? 0
    return "\n\(title)\n"
      + settings.map { setting in
        var text = "  \(padded(setting.name, width))  \(setting.kind.words); default \(setting.initial)\n"
        let indent = "  \(padded("", width))    "
        text += "\(indent)\(setting.help)\n"
        text += setting.kind.choices.map { "\(indent)\($0.word): \($0.help)\n" }.joined()
        if !remarks(setting).isEmpty { text += "\(indent)\(remarks(setting).joined(separator: "; "))\n" }
        return text
      }.joined()
  }

  private static func remarks(_ setting: TypeDescription.Setting) -> [String] {
    var remarks: [String] = []
    if let fader = setting.kind.faderLaw?.remark { remarks.append(fader) }
    if setting.each { remarks.append("single channels may have their own (each:)") }
    if setting.change == .rebuild { remarks.append("a change starts the node anew") }
    if setting.change == .restart { remarks.append("a change takes effect at the next start") }
    if !setting.aliases.isEmpty { remarks.append("also called \(setting.aliases.joined(separator: ", "))") }
    return remarks
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}

extension Catalog {
  /// All node types as JSON.
  public var json: Json {
    .object([("visgraph", .number(1)), ("types", .array(descriptions.map(\.json)))])
  }
}

extension TypeDescription {
  /// The type as JSON: ports, settings, and the records in settings.
  public var json: Json {
    func port(_ port: Port) -> Json {
      .object([
        ("name", .string(port.name)), ("carries", .string(port.carries)),
        ("unit", port.unit.map { .string($0) } ?? .null), ("required", .bool(port.required)),
        ("help", .string(port.help)),
      ])
    }
    return .object([
      ("name", .string(name)), ("aliases", .array(aliases.map { .string($0) })), ("help", .string(help)),
      ("delay", delay.map { .string($0) } ?? .null), ("off", off.map { .string($0) } ?? .null),
      ("example", example.map { .string($0) } ?? .null), ("inputs", .array(inputs.map(port))),
      ("outputs", .array(outputs.map(port))), ("settings", .array(settings.map(\.json))),
      (
        "records",
        .object(records.map { ($0.recordName, .array(NodeHelp.fields(of: $0).map(\.json))) })
      ),
    ])
  }
}

extension TypeDescription.Setting {
  /// The setting as JSON.
  public var json: Json {
    .object([
      ("name", .string(name)), ("aliases", .array(aliases.map { .string($0) })), ("help", .string(help)),
      ("takes", .string(kind.words)), ("kind", kind.json), ("default", .string(initial)),
      ("change", .string(change.rawValue)), ("each", .bool(each)),
    ])
  }
}

extension ValueKind {
  /// The kind as JSON.
  public var json: Json {
    switch self {
    case .number(let unit, let range, let whole):
      .object([
        ("number", .string(unit.exported.rawValue)),
        ("units", .array(unit.words.map { .string($0) })),
        ("minimum", .number(range.lowerBound)), ("maximum", .number(range.upperBound)),
        ("whole", .bool(whole)), ("fader", faderLaw.map { .string($0.rawValue) } ?? .null),
        ("silence", unit == .gain ? .array(Unit.silence.map { .string($0) }) : .null),
      ])
    case .choice(let words):
      .object([("choice", .object(words.map { ($0.word, .string($0.help)) }))])
    case .flag: .string("flag")
    case .text(let pattern, _, _): .object([("text", pattern.map { .string($0) } ?? .null)])
    case .file: .string("file")
    case .color: .string("colour")
    case .list(let inner, let count):
      .object([
        ("list", inner.json), ("least", .number(Double(count.lowerBound))),
        ("most", .number(Double(count.upperBound))),
      ])
    case .map(let inner): .object([("map", inner.json)])
    case .record(let record): .object([("record", .string(record.recordName))])
    case .anything: .string("anything")
    case .oneOf(let kinds): .object([("oneOf", .array(kinds.map(\.json)))])
    }
  }
}
