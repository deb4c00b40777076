/// The JSON schema (draft 2020-12) of graph files, so that editors complete and check them.
public enum GraphSchema {
  /// The schema.
  public static func json(_ catalog: Catalog) -> Json {
    var definitions: [(String, Json)] = [("node", node(catalog)), ("values", values)]
    definitions += catalog.types.map { ("node.\($0.name)", nodeType($0)) }
    let kinds = GraphHeader.kinds + catalog.descriptions.flatMap { $0.settings.map(\.kind) }
    for record in TypeDescription.records(in: kinds).sorted(by: { name(of: $0) < name(of: $1) }) {
      definitions.append(
        (name(of: record), object(properties(of: record), orNull: true, paths: record.takesPaths)))
    }
    let top: [(String, Json)] =
      [("visgraph", version)] + properties(of: GraphHeader.self) + [
        ("values", reference("values")), ("nodes", nodes), ("wires", wires),
      ]
    var schema: [(String, Json)] = [
      ("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
      ("title", .string("visgraph graph file")),
    ]
    if case .object(let pairs) = object(top, required: ["visgraph", "nodes"]) { schema += pairs }
    return .object(schema + [("$defs", .object(definitions))])
  }

  /// The schema of files with the settings of a node type: of the first type that has such files, and only emitters do.
  /// Nil if none does.
  public static func settingsFile(_ catalog: Catalog) -> Json? {
    for type in catalog.types { if let schema = settingsFile(of: type) { return schema } }
    return nil
  }

  private static func settingsFile<Type: NodeType>(of type: Type.Type) -> Json? {
    guard let file = Type.settingsFile else { return nil }
    let settings = TypeDescription.settings(of: Type.Settings.self).filter { !file.without.contains($0.name) }
    let top = [(file.version, version)] + properties(of: SettingsFileHeader.self) + properties(settings)
    let records = TypeDescription.records(in: settings.map(\.kind)).sorted { name(of: $0) < name(of: $1) }
    let own = described(object(top, required: [file.version]), Type.help)
    guard case .object(let pairs) = own else { return nil }
    return .object(
      [
        ("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
        ("title", .string("visgraph \(Type.name) file")),
      ] + pairs + [
        ("$defs", .object(records.map { (name(of: $0), object(properties(of: $0), orNull: true)) }))
      ])
  }

  /// The schema of fixture files.
  public static func fixtureFile() -> Json {
    let top = [(FixtureProfile.version, version)] + properties(of: FixtureFile.self)
    let records = TypeDescription.records(in: FixtureFile.kinds).sorted { name(of: $0) < name(of: $1) }
    guard case .object(let pairs) = object(top, required: [FixtureProfile.version, "modes"]) else {
      return .null
    }
    return .object(
      [
        ("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
        ("title", .string("visgraph fixture file")),
      ] + pairs + [
        ("$defs", .object(records.map { (name(of: $0), object(properties(of: $0), orNull: true)) }))
      ])
  }

  /// The value of the first key of each format, such as `visgraph`.
  private static let version = described(
    .object([("enum", .array([.number(1), .string("1")]))]), "The version of this format.")

  private static let nodes = Json.object([
    ("description", .string("The nodes by id.")), ("type", .string("object")),
    (
      "patternProperties",
      .object([
        (
          "^(?!x-)(?!(\(NodeEntry.reserved.joined(separator: "|")))$)[A-Za-z0-9_-]{1,64}$",
          reference("node")
        ), ("^x-", .bool(true)),
      ])
    ),
    ("additionalProperties", .bool(false)),
  ])

  private static let wires = Json.object([
    (
      "description",
      .string(
        "Chains of ids: song -> meter -> rig; each ID or ID.PORT, channels at the ends: song[1-3, Vox] -> "
          + "mix, kick -> gain[2].")
    ),
    ("type", strings(["array", "null"])),
    ("items", any(.object([("type", .string("string")), ("pattern", .string(wirePattern))]))),
  ])

  /// The syntax of a wire, as `WireText` reads it. Only a check can find out whether its nodes and ports exist.
  private static let wirePattern: String = {
    let end = "[A-Za-z0-9_-]{1,64}(\\.[^ \\t.\\[\\]]+?)?"
    let space = "[ \\t\\n]*"
    return "^\(space)\(end)(\\[[^\\]]+\\])?\(space)(->\(space)\(end)\(space))*->\(space)\(end)"
      + "(\\[[-0-9, \\t]+\\])?\(space)$"
  }()

  private static let values = Json.object([
    ("description", .string("Texts that are used as ${name}; --set name=TEXT overrides them.")),
    ("type", strings(["object", "null"])),
    ("propertyNames", .object([("pattern", .string("^([A-Za-z0-9_-]{1,64}$|x-)"))])),
    ("patternProperties", .object([("^x-", .bool(true))])),
    ("additionalProperties", .object([("type", strings(["string", "number", "boolean", "null"]))])),
  ])

  /// A node of any type; its type decides which settings it has.
  private static func node(_ catalog: Catalog) -> Json {
    let names = catalog.types.flatMap { [$0.name] + $0.aliases }
    let choices = catalog.types.map { type in
      let condition = Json.object([
        ("properties", .object([("type", .object([("enum", strings([type.name] + type.aliases))]))])),
        ("required", strings(["type"])),
      ])
      return Json.object([("if", condition), ("then", reference("node.\(type.name)"))])
    }
    return .object([
      ("type", .string("object")),
      (
        "properties",
        .object([
          ("type", described(any(.object([("enum", strings(names))])), "What the node does.")),
          ("like", like),
        ])
      ),
      (
        "anyOf",
        .array([.object([("required", strings(["type"]))]), .object([("required", strings(["like"]))])])
      ),
      ("allOf", .array(choices)),
    ])
  }

  private static let like = Json.object([
    ("description", .string("The id of a node of the same type whose settings this one starts from.")),
    ("type", strings(["string", "number"])), ("pattern", .string("^[A-Za-z0-9_-]{1,64}$|\\$\\{")),
  ])

  private static func nodeType<Type: NodeType>(_ type: Type.Type) -> Json {
    let settings = TypeDescription.settings(of: Type.Settings.self)
    let single = object(properties(settings.filter(\.each)), orNull: true)
    let own: [(String, Json)] = [
      ("type", .object([("enum", strings([Type.name] + Type.aliases))])),
      ("like", like),
      (
        "each",
        .object([
          ("description", .string("Settings of single channels, by number, range or name.")),
          ("type", strings(["object", "null"])), ("patternProperties", .object([("^x-", .bool(true))])),
          ("additionalProperties", single),
        ])
      ),
    ]
    return described(object(own + properties(settings)), Type.help)
  }

  // MARK: Records and kinds

  private static func name(of record: any FieldRecord.Type) -> String { "record.\(record.recordName)" }

  private static func properties<Record: FieldRecord>(of record: Record.Type) -> [(String, Json)] {
    properties(TypeDescription.settings(of: record))
  }

  private static func properties(_ settings: [TypeDescription.Setting]) -> [(String, Json)] {
    settings.flatMap { setting -> [(String, Json)] in
      let main = described(schema(setting.kind), description(setting))
      return [(setting.name, main)]
        + setting.aliases.map { ($0, described(schema(setting.kind), "The same as \(setting.name).")) }
    }
  }

  /// The text that an editor shows for a setting: help, allowed values, the words of a choice, the default.
  private static func description(_ setting: TypeDescription.Setting) -> String {
    var text = "\(setting.help) Takes \(setting.kind.words)."
    let words = setting.kind.choices
    if !words.isEmpty { text += " " + words.map { "\($0.word): \($0.help)." }.joined(separator: " ") }
    return text + " Default: \(setting.initial)"
  }

  /// The schema of a map. `orNull`: nothing may stand after the key of the map, which leaves all defaults. `paths`: keys
  /// may also be paths of settings, and `false`, which YAML 1.1 makes of the key `off`.
  private static func object(
    _ properties: [(String, Json)], required: [String] = [], orNull: Bool = false, paths: Bool = false
  ) -> Json {
    let others: [(String, Json)] = paths ? [("^[A-Za-z0-9_-]{1,64}\\..|^false$", .bool(true))] : []
    var pairs: [(String, Json)] = [
      ("type", orNull ? strings(["object", "null"]) : .string("object")),
      ("properties", .object(properties)),
      ("patternProperties", .object([("^x-", .bool(true))] + others)), ("additionalProperties", .bool(false)),
    ]
    if !required.isEmpty { pairs.append(("required", strings(required))) }
    return .object(pairs)
  }

  /// A schema, which is always an object, with a description.
  private static func described(_ schema: Json, _ text: String) -> Json {
    guard case .object(let pairs) = schema else { return schema }
    return .object([("description", .string(text))] + pairs)
  }

  static func reference(_ name: String) -> Json { .object([("$ref", .string("#/$defs/\(name)"))]) }
  static func reference(_ record: any FieldRecord.Type) -> Json { reference(name(of: record)) }
  static func strings(_ values: [String]) -> Json { .array(values.map { .string($0) }) }
}
