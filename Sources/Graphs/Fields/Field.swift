/// What has to happen when a setting changes in a running graph.
public enum Change: String, Sendable {
  /// Takes effect at the next frame; nothing is lost.
  case live
  /// The node starts anew, the rest plays on.
  case rebuild
  /// Takes effect when the program is started again.
  case restart
}

/// One setting of a node: said once, and from it come checks, help, schema, docs, OSC and sliders.
public struct Field<Root>: Sendable {
  /// The name in graph files; it never changes once released.
  public let name: String
  /// Older or longer names that are understood as well.
  public let aliases: [String]
  /// What it does, in a sentence or two.
  public let help: String
  /// What its value may be.
  public let kind: ValueKind
  /// What a change of it asks for.
  public let change: Change
  /// Whether single channels may have their own (`each:`).
  public let each: Bool
  /// Whether its value is a key, which no diagnostic shows.
  public let isSecret: Bool
  /// Reads a value of the graph file into a settings struct; what is wrong goes to `context`.
  public let read: @Sendable (_ root: inout Root, _ tree: Tree, _ context: ReadContext) -> Void
  /// The value in a settings struct, as a graph file would write it.
  public let written: @Sendable (_ root: Root) -> String
  /// The value in a settings struct, a number as the number that it is.
  let value: @Sendable (_ root: Root) -> SettingValue
  /// The text, without parts of the value whose change asks for something else.
  let asking: @Sendable (_ root: Root, _ change: Change) -> String
  /// Reads a setting within the value anew; see `FieldValue.read(_:at:as:_:)`.
  private let readWithin:
    @Sendable (_ root: inout Root, _ tree: Tree, _ path: Substring, _ context: ReadContext) -> Bool

  /// Declares a setting by where it is kept.
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

  /// Declares a setting whose values are of the kind of their type.
  public init<Value: FieldValue>(
    _ name: String, _ path: any WritableKeyPath<Root, Value> & Sendable, each: Bool = false,
    change: Change = .live, isSecret: Bool = false, aliases: [String] = [], _ help: String
  ) {
    self.init(
      name, path, Value.kind, each: each, change: change, isSecret: isSecret, aliases: aliases, help)
  }

  /// Reads the value anew, or the setting within it that a path leads to, where that changes live and names no file;
  /// false where it does not, or there is none. What is wrong goes to `context`. [control]
  func readLive(_ root: inout Root, _ tree: Tree, at path: Substring?, _ context: ReadContext) -> Bool {
    if let path { return readWithin(&root, tree, path, context) }
    guard change == .live, !kind.namesFiles else { return false }
    read(&root, tree, context)
    return true
  }
}

/// A struct whose initial values are the defaults and whose fields are declared once.
public protocol FieldRecord: Sendable {
  /// What a reader of the docs calls it (`drive`, `cell`).
  static var recordName: String { get }
  /// The fields, in the order of the docs.
  static var fields: [Field<Self>] { get }
  /// Whether it also holds settings of nodes, by their paths: keys with a dot.
  static var takesPaths: Bool { get }
  /// All defaults.
  init()
}

extension FieldRecord {
  /// Its fields and nothing else.
  public static var takesPaths: Bool { false }
}

/// A value that a graph file can hold.
public protocol FieldValue: Sendable {
  /// The kind when the declaration names none.
  static var kind: ValueKind { get }
  /// The kind when the declaration names one; a type that understands more than it adds that.
  static func kind(declared: ValueKind) -> ValueKind
  /// Reads it; nil when it was at fault, and then the fault has been reported to `context`. [control]
  static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> Self?
  /// Reads a setting within it anew, found by a path such as `spark.birthRate`, where that changes live and has no say in
  /// what else the value may be; false where it is not so, or there is none. What is wrong goes to `context`. [control]
  mutating func read(_ tree: Tree, at path: Substring, as kind: ValueKind, _ context: ReadContext) -> Bool
  /// As a graph file would write it.
  func written(as kind: ValueKind) -> String
  /// The value itself where it is a number or a flag, else as a graph file would write it.
  func value(as kind: ValueKind) -> SettingValue
  /// A text that differs where a change of the value asks for `change`: all of it, but for values with settings of
  /// their own.
  func written(as kind: ValueKind, asking change: Change) -> String
}

extension FieldValue {
  /// The declared kind, or `none`.
  public static func kind(declared: ValueKind) -> ValueKind { declared }

  /// Nothing within it is a setting.
  public mutating func read(
    _ tree: Tree, at path: Substring, as kind: ValueKind, _ context: ReadContext
  ) -> Bool { false }

  /// As a graph file would write it.
  public func value(as kind: ValueKind) -> SettingValue { .written(written(as: kind)) }

  /// All of it.
  public func written(as kind: ValueKind, asking change: Change) -> String { written(as: kind) }
}
