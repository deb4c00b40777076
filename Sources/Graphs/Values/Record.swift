/// Lets a record be a value: a struct that is `FieldRecord, FieldValue` needs no members for it.
extension FieldValue where Self: FieldRecord {
  /// The default kind of a field of this type.
  public static var kind: ValueKind { .record(Self.self) }

  /// Reads the value; nil after reporting a fault. [control]
  public static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> Self? {
    if tree.isNothing { return Self() }
    guard let pairs = tree.map else {
      context.expected(kind.words, tree, notes: [Self.form])
      return nil
    }
    let before = context.count
    var record = Self()
    record.read(pairs, in: Self.recordName, context)
    return context.count == before ? record : nil
  }

  /// Reads one field, or a setting inside it, by its path. False where only the checker can decide, because a text
  /// may have to be unique in the graph (`standsAlone` is false).
  public mutating func read(
    _ tree: Tree, at path: Substring, as kind: ValueKind, _ context: ReadContext
  ) -> Bool {
    let (head, rest) = ValueKind.split(path)
    guard let field = Self.field(head), rest != nil || field.kind.standsAlone else { return false }
    return field.readLive(&self, tree, at: rest, context)
  }

  /// The value as text of a graph file.
  public func written(as kind: ValueKind) -> String { writtenFields }

  /// The fields whose change is `change`. Each counts by its own declaration, not by that of the record in which it
  /// lies.
  public func written(as kind: ValueKind, asking change: Change) -> String {
    let fields = Self.fields.filter { $0.change == change }
    return "{ " + fields.map { "\($0.name): \($0.asking(self, change))" }.joined(separator: ", ") + " }"
  }
}

extension FieldRecord {
  /// A note on how a record is written.
  static var form: String {
    let names = fields.prefix(6).map(\.name) + (fields.count > 6 ? ["…"] : [])
    return "write { KEY: VALUE }; keys are \(names.joined(separator: ", "))"
  }

  /// The field with a name or alias.
  static func field(_ name: String) -> Field<Self>? {
    fields.first { $0.name == name || $0.aliases.contains(name) }
  }

  /// Reads pairs in file order.
  ///
  /// - Parameters:
  ///   - owner: the record with the pairs, as messages name it.
  ///   - also: keys that the caller reads itself.
  ///   - allowed: the keys that a fault lists, in place of `also` and the fields.
  mutating func read(
    _ pairs: [Tree.Pair], in owner: String, also: [String] = [], allowed: [String]? = nil,
    _ context: ReadContext
  ) {
    var given: [String: Int] = [:]
    for (index, pair) in pairs.enumerated() {
      // Keys `x-…` are for other programs; a key that is no text was reported when the file was parsed.
      guard let key = pair.key.text, !key.hasPrefix("x-"), !also.contains(key) else { continue }
      guard let field = Self.field(key) else {
        let names = allowed ?? also + Self.fields.map(\.name)
        let before = index > 0 ? pairs[index - 1] : nil
        if pair.value.isNothing { Self.noteSecret(in: pair.key, context) }
        context.report(
          .unknownKey(
            pair, behind: before, in: Self.self, of: owner, allowed: names, quick: context.hasPlenty))
        checkMeant(pair, among: names, pairs, context)
        continue
      }
      if let line = given[field.name] {
        context.report(.givenTwice(field.name, as: key, at: pair.key.mark, firstLine: line))
        continue
      }
      given[field.name] = pair.key.mark.line
      context.within(field.name) {
        if field.isSecret { context.noteSecret(pair.value) }
        field.read(&self, pair.value, context)
      }
    }
  }

  /// Checks the value of an unknown key as that of the nearest known key, so that its faults are reported with the
  /// others.
  private func checkMeant(
    _ pair: Tree.Pair, among names: [String], _ pairs: [Tree.Pair], _ context: ReadContext
  ) {
    guard !context.hasPlenty, !pair.value.isNothing, let key = pair.key.text,
      let meant = nearest(to: key, among: names), let field = Self.field(meant),
      !pairs.contains(where: { $0.key.text.flatMap(Self.field)?.name == field.name })
    else { return }
    var other = self
    context.within(field.name) {
      if field.isSecret { context.noteSecret(pair.value) }
      field.read(&other, pair.value, context)
    }
  }

  /// Notes the value of a secret field that was written without its colon, or without the space after it, so that it is
  /// one text with its key.
  static func noteSecret(in tree: Tree, _ context: ReadContext) {
    guard let text = tree.text,
      let (key, value) = MissingSpace.parts(text) ?? LineText.keyWithoutColon(text[...]),
      field(key)?.isSecret == true
    else { return }
    context.noteSecret(Tree(.scalar(value, quoted: false), mark: tree.mark))
  }

  /// The fields that differ from their defaults, as text of a graph file.
  var writtenFields: String {
    let defaults = Self()
    let pairs = Self.fields.compactMap { field -> String? in
      let text = field.written(self)
      return text == field.written(defaults) ? nil : "\(field.name): \(text)"
    }
    return pairs.isEmpty ? "{}" : "{ " + pairs.joined(separator: ", ") + " }"
  }
}

/// Changes of single settings by path: `{ cells.spark.birthRate: 120 }`. The checker applies them.
public struct SettingChanges: FieldValue {
  /// The changes as text of a graph file.
  private let text: String

  /// No changes.
  public init() { text = "{}" }

  private init(_ tree: Tree) { text = tree.flow }

  /// The default kind of a field of this type.
  public static let kind = ValueKind.map(.anything)

  /// Reads the value; nil after reporting a fault. [control]
  public static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> SettingChanges? {
    if tree.isNothing { return SettingChanges() }
    guard tree.map != nil else {
      context.expected("a map from paths to values, such as { cells.spark.birthRate: 120 }", tree)
      return nil
    }
    return SettingChanges(tree)
  }

  /// The value as text of a graph file.
  public func written(as kind: ValueKind) -> String { text }
}

extension Tree {
  /// The tree in one line of YAML.
  var flow: String {
    switch content {
    case .scalar(let text, let quoted):
      let bare =
        !quoted && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !",[]{}\"'#:&*!|>%@`".utf8.contains($0) }
      return bare && !text.isEmpty ? text : yamlText(text)
    case .number(let number): return shortest(number)
    case .flag(let isOn): return isOn.written(as: .flag)
    case .list(let values): return "[" + values.map(\.flow).joined(separator: ", ") + "]"
    case .map(let pairs):
      if pairs.isEmpty { return "{}" }
      return "{ " + pairs.map { "\($0.key.flow): \($0.value.flow)" }.joined(separator: ", ") + " }"
    }
  }

  /// The number of keys, values, lists and maps in the tree.
  var size: Int {
    switch content {
    case .scalar, .number, .flag: 1
    case .list(let values): values.reduce(1) { $0 + $1.size }
    case .map(let pairs): pairs.reduce(1) { $0 + 1 + $1.value.size }
    }
  }
}
