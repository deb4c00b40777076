/// What a changed setting requires in a running graph.
public enum Change: String, Sendable {
  /// Takes effect at the next frame; nothing is lost.
  case live
  /// The node starts anew; the rest of the graph plays on.
  case rebuild
  /// Takes effect when the program is started again.
  case restart
}

/// The declaration of one setting. Checks, help, schema, docs, OSC addresses and faders are derived from it.
public struct Field<Root>: Sendable {
  /// The name in graph files. It never changes once released.
  public let name: String
  /// Older or longer names that are accepted.
  public let aliases: [String]
  /// What the setting does, in a sentence or two.
  public let help: String
  /// The values that are allowed.
  public let kind: ValueKind
  /// What a change of the value requires.
  public let change: Change
  /// Whether single channels may have a value of their own (`each:`).
  public let each: Bool
  /// Whether the value is a secret, which diagnostics mask.
  public let isSecret: Bool
  /// Reads a value of the graph file into a settings struct; faults go to `context`.
  public let read: @Sendable (_ root: inout Root, _ tree: Tree, _ context: ReadContext) -> Void
  /// The value in a settings struct, as text of a graph file.
  public let written: @Sendable (_ root: Root) -> String
  /// The value in a settings struct; numbers and flags are not turned into text.
  let value: @Sendable (_ root: Root) -> SettingValue
  /// The text of the value, limited to the parts whose change is `change`. Equal texts mean that no such part differs.
  let asking: @Sendable (_ root: Root, _ change: Change) -> String
  /// Reads a setting inside the value; see `FieldValue.read(_:at:as:_:)`.
  private let readWithin:
    @Sendable (_ root: inout Root, _ tree: Tree, _ path: Substring, _ context: ReadContext) -> Bool

  /// Declares a setting by the key path of its value.
  public init<Value: FieldValue>(
    _ name: String, _ path: any WritableKeyPath<Root, Value> & Sendable, _ kind: ValueKind? = nil,
    each: Bool = false, change: Change = .live, isSecret: Bool = false, aliases: [String] = [], _ help: String
  ) {
    let kind = kind.map(Value.kind(declared:)) ?? Value.kind
    self.name = name
    self.aliases = aliases
    self.help = help
    self.kind = kind
    self.change = change
    self.each = each
    self.isSecret = isSecret
    self.read = { root, tree, context in
      if let value = Value.read(tree, as: kind, context) { root[keyPath: path] = value }
    }
    self.written = { $0[keyPath: path].written(as: kind) }
    self.value = { $0[keyPath: path].value(as: kind) }
    self.asking = { $0[keyPath: path].written(as: kind, asking: $1) }
    self.readWithin = { $0[keyPath: path].read($1, at: $2, as: kind, $3) }
  }

  /// Declares a setting that has the kind of its type.
  public init<Value: FieldValue>(
    _ name: String, _ path: any WritableKeyPath<Root, Value> & Sendable, each: Bool = false,
    change: Change = .live, isSecret: Bool = false, aliases: [String] = [], _ help: String
  ) {
    self.init(
      name, path, Value.kind, each: each, change: change, isSecret: isSecret, aliases: aliases, help)
  }

  /// Reads the value, or with a path a setting inside it. False where the setting does not change live, names a file,
  /// or does not exist. Faults go to `context`. [control]
  func readLive(_ root: inout Root, _ tree: Tree, at path: Substring?, _ context: ReadContext) -> Bool {
    if let path { return readWithin(&root, tree, path, context) }
    guard change == .live, !kind.namesFiles else { return false }
    read(&root, tree, context)
    return true
  }
}

/// A struct of settings: its initial values are the defaults, and each field is declared once.
public protocol FieldRecord: Sendable {
  /// The name of the record in the docs (`drive`, `cell`).
  static var recordName: String { get }
  /// The fields, in the order of the docs.
  static var fields: [Field<Self>] { get }
  /// Whether the record also takes settings of nodes, by path: keys with a dot.
  static var takesPaths: Bool { get }
  /// All defaults.
  init()
}

extension FieldRecord {
  /// False: the keys are fields alone.
  public static var takesPaths: Bool { false }
}

/// A value of a graph file.
public protocol FieldValue: Sendable {
  /// The default kind of a field of this type.
  static var kind: ValueKind { get }
  /// The kind where a declaration names one; a type that accepts more adds that.
  static func kind(declared: ValueKind) -> ValueKind
  /// Reads a value; nil where it is invalid, and the fault is reported to `context`. [control]
  static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> Self?
  /// Reads a setting inside the value by a path such as `spark.birthRate`. False where there is none, where it does not
  /// change live, or where other values depend on it. Faults go to `context`. [control]
  mutating func read(_ tree: Tree, at path: Substring, as kind: ValueKind, _ context: ReadContext) -> Bool
  /// The value as text of a graph file.
  func written(as kind: ValueKind) -> String
  /// The value itself where it is a number or flag; else its text in a graph file.
  func value(as kind: ValueKind) -> SettingValue
  /// A text that differs where a part whose change is `change` differs. By default it is the text of the whole value.
  func written(as kind: ValueKind, asking change: Change) -> String
}

extension FieldValue {
  /// The declared kind alone.
  public static func kind(declared: ValueKind) -> ValueKind { declared }

  /// False, because a plain value contains no settings.
  public mutating func read(
    _ tree: Tree, at path: Substring, as kind: ValueKind, _ context: ReadContext
  ) -> Bool { false }

  /// The text of the value in a graph file.
  public func value(as kind: ValueKind) -> SettingValue { .written(written(as: kind)) }

  /// The text of the whole value.
  public func written(as kind: ValueKind, asking change: Change) -> String { written(as: kind) }
}
