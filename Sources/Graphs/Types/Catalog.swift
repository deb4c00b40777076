/// The node types of graph files, in the order of the docs.
public struct Catalog: Sendable {
  /// The types.
  public let types: [any NodeType.Type]
  private let byName: [String: any NodeType.Type]
  let pictureCheck: PictureCheck?

  /// Makes a catalog. Of two types with one name the first is taken, and `mistakes` reports it. Without `pictures` the
  /// pictures of a graph are not checked.
  public init(types: [any NodeType.Type], pictures: PictureCheck? = nil) {
    self.types = types
    pictureCheck = pictures
    var byName: [String: any NodeType.Type] = [:]
    for type in types {
      for name in [type.name] + type.aliases where byName[name] == nil { byName[name] = type }
    }
    self.byName = byName
  }

  /// The type of a name or alias.
  public subscript(name: String) -> (any NodeType.Type)? { byName[name] }

  /// The names without aliases, in the order of the docs.
  public var names: [String] { types.map { $0.name } }
}

extension Catalog {
  /// Faults of the declarations, a sentence each; a test keeps the list empty.
  ///
  /// They are duplicate names, and defaults that the file format refuses or reads back as another value.
  public var mistakes: [String] {
    var found: [String] = []
    var seen: Set<String> = []
    for type in types {
      for name in [type.name] + type.aliases where !seen.insert(name).inserted {
        found.append("two node types are named \(name)")
      }
      found += Self.mistakes(of: type)
    }
    // The schema has one definition for each record name.
    var records: [String: any FieldRecord.Type] = [:]
    for record in descriptions.flatMap(\.records) {
      let other = records.updateValue(record, forKey: record.recordName)
      if let other, other != record { found.append("two records are named \(record.recordName)") }
    }
    return found
  }

  private static func mistakes<Type: NodeType>(of type: Type.Type) -> [String] {
    var found = mistakes(in: Type.Settings.self, called: Type.name, reserved: ["type", "like", "each"])
    let settings = Type.Settings()
    let inputs = Type.inputs(settings).map(\.name)
    let outputs = Type.outputs(settings).map(\.name)
    for ports in [inputs, outputs] where Set(ports).count < ports.count {
      found.append("\(Type.name) has two ports of one name: \(ports.joined(separator: ", "))")
    }
    if let first = Type.inputs(settings).first, case .asFirst = first.width {
      found.append("\(Type.name): the first input has a width of its own")
    }
    var records: Set<ObjectIdentifier> = [ObjectIdentifier(Type.Settings.self)]
    var waiting = Type.Settings.fields.map(\.kind)
    while let kind = waiting.popLast() {
      switch kind {
      case .list(let inner, _), .map(let inner): waiting.append(inner)
      case .oneOf(let kinds): waiting += kinds
      case .record(let record):
        guard records.insert(ObjectIdentifier(record)).inserted else { continue }
        found += mistakes(in: record, called: "\(Type.name): \(record.recordName)", reserved: [])
        waiting += record.kinds
      default: break
      }
    }
    return found
  }

  private static func mistakes<Record: FieldRecord>(
    in record: Record.Type, called name: String, reserved: [String]
  ) -> [String] {
    var found: [String] = []
    var seen = Set(reserved)
    for field in Record.fields {
      for word in [field.name] + field.aliases {
        if !seen.insert(word).inserted { found.append("\(name) has two settings named \(word)") }
        if word.hasPrefix("x-") { found.append("\(name).\(word) would be ignored: it begins with x-") }
      }
      if field.help.isEmpty { found.append("\(name).\(field.name) has no help") }
      found += roundTrip(field, of: name)
    }
    return found
  }

  /// Checks that a default reads back as itself. An empty path or text means that there is no default.
  private static func roundTrip<Record: FieldRecord>(_ field: Field<Record>, of name: String) -> [String] {
    let written = field.written(Record())
    if written == "\"\"" { return [] }
    let context = ReadContext(fps: FrameRate(60), stage: Stage(), folder: ".")
    let (tree, faults) = Composer.compose(SourceText(path: "default", text: written))
    for fault in faults { context.report(fault) }
    var record = Record()
    if let tree { context.within(field.name) { field.read(&record, tree, context) } }
    if let fault = context.diagnostics.first {
      return ["\(name).\(field.name) has the default \(written), which is refused: \(fault.message)"]
    }
    let again = field.written(record)
    return again == written ? [] : ["\(name).\(field.name) writes \(written) and reads back \(again)"]
  }
}

extension FieldRecord {
  static var kinds: [ValueKind] { fields.map(\.kind) }
}
