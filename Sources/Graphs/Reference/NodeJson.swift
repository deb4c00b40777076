extension Catalogue {
  /// The whole catalogue for programs.
  public var json: Json {
    .object([("visgraph", .number(1)), ("types", .array(descriptions.map(\.json)))])
  }
}

extension TypeDescription {
  /// The type for programs: ports, settings, and the records that settings hold.
  public var json: Json {
    func port(_ port: Port) -> Json {
      .object([
        ("name", .string(port.name)), ("carries", .string(port.carries)), ("required", .bool(port.required)),
        ("help", .string(port.help)),
      ])
    }
    return .object([
      ("name", .string(name)), ("aliases", .array(aliases.map { .string($0) })), ("help", .string(help)),
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
  var json: Json {
    .object([
      ("name", .string(name)), ("aliases", .array(aliases.map { .string($0) })), ("help", .string(help)),
      ("takes", .string(kind.words)), ("kind", kind.json), ("default", .string(initial)),
      ("change", .string(change.rawValue)), ("each", .bool(each)),
    ])
  }
}

extension Kind {
  /// The kind for programs.
  var json: Json {
    switch self {
    case .number(let unit, let range, let whole):
      .object([
        ("number", .string((unit == .gain ? Unit.decibels : unit).rawValue)),
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
    case .colour: .string("colour")
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
