extension GraphSchema {
  /// What a kind allows; any scalar may also be text with a `${name}` in it.
  static func schema(_ kind: Kind) -> Json {
    switch kind {
    case .number(let unit, let range, let whole): number(unit, range, whole: whole)
    case .choice(let words):
      any(
        .object([("enum", strings(words.flatMap { [$0.word] + $0.aliases }))]),
        .object([("type", .string("null"))]), if: words)
    case .flag:
      any(
        .object([("type", .string("boolean"))]),
        .object([("enum", strings(["true", "false", "yes", "no", "on", "off"]))]))
    case .text(let pattern):
      if let pattern {
        any(
          .object([("type", .string("string")), ("pattern", .string(pattern))]),
          .object([("type", .string("number"))]))
      } else {
        .object([("type", strings(["string", "number", "boolean"]))])
      }
    case .file: .object([("type", .string("string")), ("minLength", .number(1))])
    case .colour: colour
    case .list(let inner, let count):
      .object([
        ("type", .string("array")), ("items", schema(inner)), ("minItems", .number(Double(count.lowerBound))),
        ("maxItems", .number(Double(count.upperBound))),
      ])
    case .map(let inner):
      .object([
        ("type", .string("object")), ("patternProperties", .object([("^x-", .bool(true))])),
        ("additionalProperties", schema(inner)),
      ])
    case .record(let record): reference(record)
    case .anything: .object([])
    case .oneOf(let kinds): .object([("anyOf", .array(kinds.map(schema)))])
    }
  }

  private static func number(_ unit: Unit, _ range: ClosedRange<Double>, whole: Bool) -> Json {
    var bare: [(String, Json)] = [("type", .string(whole ? "integer" : "number"))]
    if range.lowerBound > -1e15 { bare.append(("minimum", .number(range.lowerBound))) }
    if range.upperBound < 1e15 { bare.append(("maximum", .number(range.upperBound))) }
    let units = unit.words.isEmpty ? "" : " *(\(unit.words.joined(separator: "|")))?"
    let figures = "[-+]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+)?"
    return any(
      .object(bare), .object([("type", .string("string")), ("pattern", .string("^ *\(figures)\(units) *$"))]))
  }

  private static let colour = any(
    .object([("enum", strings(["transparent"] + ColourNames.values.keys.sorted()))]),
    .object([("type", .string("string")), ("pattern", .string("^#([0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$"))]),
    .object([
      ("type", .string("array")), ("items", number(.ratio, 0...1, whole: false)), ("minItems", .number(3)),
      ("maxItems", .number(4)),
    ]))

  private static let substituted = Json.object([
    ("type", .string("string")), ("pattern", .string("\\$\\{")),
  ])

  private static func any(_ schemas: Json...) -> Json {
    .object([("anyOf", .array(schemas + [substituted]))])
  }

  /// YAML's own word for nothing is null to an editor.
  private static func any(_ words: Json, _ null: Json, if choices: [Kind.Choice]) -> Json {
    choices.contains { $0.word == "none" } ? any(words, null) : any(words)
  }
}
