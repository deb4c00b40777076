import _StringProcessing

extension GraphSchema {
  /// The schema of a kind. It accepts whatever a check accepts: any scalar may also be text with a `${name}` in it,
  /// and what YAML reads as a number, a boolean or null may be meant as text.
  static func schema(_ kind: ValueKind) -> Json {
    switch kind {
    case .number(let unit, let range, let whole): number(unit, range, whole: whole)
    case .choice(let words): choice(words)
    case .flag:
      any(
        .object([("type", .string("boolean"))]),
        .object([("enum", strings(["true", "false", "yes", "no", "on", "off"]))]))
    case .text(let pattern, _, _): text(pattern)
    case .file: .object([("type", strings(["string", "number", "boolean"])), ("minLength", .number(1))])
    case .color: color
    case .list(let inner, let count):
      .object([
        ("type", count.contains(0) ? strings(["array", "null"]) : .string("array")),
        ("items", schema(inner)), ("minItems", .number(Double(count.lowerBound))),
        ("maxItems", .number(Double(count.upperBound))),
      ])
    case .map(let inner):
      .object([
        ("type", strings(["object", "null"])), ("patternProperties", .object([("^x-", .bool(true))])),
        ("additionalProperties", schema(inner)),
      ])
    case .record(let record): reference(record)
    case .anything: .object([])
    case .oneOf(let kinds): .object([("anyOf", .array(kinds.map { schema($0, among: kinds) }))])
    }
  }

  /// The schema of one of several kinds. Beside a kind for numbers, a text has to be a string of its pattern. Beside
  /// a color, a file has to have the name of a picture.
  private static func schema(_ kind: ValueKind, among kinds: [ValueKind]) -> Json {
    switch kind {
    case .text(let pattern?, _, _) where kinds.contains(where: { $0.isNumber }):
      any(.object([("type", .string("string")), ("pattern", .string(pattern))]))
    case .file where kinds.contains(where: { if case .color = $0 { true } else { false } }):
      any(.object([("type", .string("string")), ("pattern", .string(StageBackground.picturePattern))]))
    default: schema(kind)
    }
  }

  private static func choice(_ words: [ValueKind.Choice]) -> Json {
    let all = words.flatMap { [$0.word] + $0.aliases }
    var others: [String] = []
    // Editors read these words as a boolean or as null, not as text.
    if all.contains(where: ["on", "off", "yes", "no", "true", "false"].contains) { others.append("boolean") }
    if all.contains("none") { others.append("null") }
    let plain = Json.object([("enum", strings(all))])
    return others.isEmpty ? any(plain) : any(plain, .object([("type", strings(others))]))
  }

  private static func text(_ pattern: String?) -> Json {
    guard let pattern else {
      return .object([("type", strings(["string", "number", "boolean", "null"]))])
    }
    let regex = try? Regex(pattern)
    func fits(_ samples: [String]) -> Bool {
      samples.contains { sample in regex.flatMap { try? $0.firstMatch(in: sample) } != nil }
    }
    var others: [String] = []
    if fits(["1", "-1", "0.5", "1000000", "1e30"]) { others.append("number") }
    if fits(["true", "False", "yes"]) { others.append("boolean") }
    if fits(["null", "~"]) { others.append("null") }
    let text = Json.object([("type", .string("string")), ("pattern", .string(pattern))])
    return others.isEmpty ? any(text) : any(text, .object([("type", strings(others))]))
  }

  private static func number(_ unit: Unit, _ range: ClosedRange<Double>, whole: Bool) -> Json {
    var bare: [(String, Json)] = [("type", .string(whole ? "integer" : "number"))]
    if range.lowerBound > -1e15 { bare.append(("minimum", .number(range.lowerBound))) }
    if range.upperBound < 1e15 { bare.append(("maximum", .number(range.upperBound))) }
    // A range without negative numbers allows a minus only before a zero, as in a plain number.
    let sign = range.lowerBound >= 0 ? "(\\+|-(?=[0.]+([^0-9.]|$)))?" : "[-+]?"
    let figures = "\(sign)([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+)?"
    let units = unit.words.isEmpty ? "" : " *(\(unit.words.joined(separator: "|")))?"
    let clock = unit == .seconds ? "|[0-9]+(:0*[0-5]?[0-9]){1,2}(\\.[0-9]*)?" : ""
    let silence = unit == .gain ? "|\(Unit.silence.joined(separator: "|"))" : ""
    let text = Json.object([
      ("type", .string("string")), ("pattern", .string("^ *(\(figures)\(units)\(clock)\(silence)) *$")),
    ])
    // Editors read an unquoted `off` as false.
    return unit == .gain
      ? any(.object(bare), text, .object([("enum", .array([.bool(false)]))])) : any(.object(bare), text)
  }

  private static let color: Json = {
    let value = "[-+.0-9eE]+(%|deg|rad|grad|turn)?"
    return any(
      // Names are case-insensitive. The list below has them in lower case, so any word with a capital letter passes.
      .object([
        ("type", .string("string")),
        ("pattern", .string("^(?:transparent|[A-Za-z]*[A-Z][A-Za-z]*)$")),
      ]),
      .object([("enum", strings(CSSColorNames.values.keys.sorted()))]),
      .object([
        ("type", .string("string")),
        (
          "pattern",
          .string(
            "^#([0-9A-Fa-f]{3,4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$"
              + "|^([rR][gG][bB]|[hH][sS][lL])[aA]?\\([ \\t]*\(value)([ \\t,]+\(value)){2}([ \\t]*[,/][ \\t]*\(value))?[ \\t]*\\)$"
          )
        ),
      ]),
      .object([
        ("type", .string("array")), ("items", number(.ratio, 0...1, whole: false)), ("minItems", .number(3)),
        ("maxItems", .number(4)),
      ]))
  }()

  private static let substituted = Json.object([
    ("type", .string("string")), ("pattern", .string("\\$\\{")),
  ])

  static func any(_ schemas: Json...) -> Json { .object([("anyOf", .array(schemas + [substituted]))]) }
}
