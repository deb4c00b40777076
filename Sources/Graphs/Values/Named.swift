/// A map from names of the user's choice to values, in file order.
public struct Named<Value: FieldValue>: FieldValue {
  /// One name and its value.
  public struct Entry: Sendable {
    /// The name.
    public var name: String
    /// The value.
    public var value: Value

    /// Makes an entry.
    public init(name: String, value: Value) {
      self.name = name
      self.value = value
    }
  }

  /// In file order.
  public var entries: [Entry]

  /// Makes a map.
  public init(_ entries: [Entry] = []) { self.entries = entries }

  /// The value under a name.
  public subscript(name: String) -> Value? { entries.first { $0.name == name }?.value }

  /// The default kind of a field of this type.
  public static var kind: ValueKind { .map(Value.kind) }

  /// Reads the value; nil after reporting a fault. [control]
  public static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> Named? {
    if tree.isNothing { return Named() }
    guard case .map(let inner) = kind, let pairs = tree.map else {
      context.expected(kind.words, tree)
      return nil
    }
    var result = Named()
    var whole = true
    for pair in pairs {
      guard let name = pair.key.text, !name.hasPrefix("x-") else { continue }
      if let last = result.entries.last, pair.value.map == nil, !pair.value.isNothing,
        case .record(let record) = inner, inner.record(with: name) != nil
      {
        let isFlow = pairs.first.map { $0.value.mark.line == $0.key.mark.line } ?? false
        context.report(
          .misplacedSettings(
            [name], of: "\(record.recordName) \(plain(last.name))", isFlow: isFlow, at: pair.key.mark))
        whole = false
        continue
      }
      if name.isEmpty { context.report(.emptyName(context.subject, at: pair.key.mark)) }
      let value = context.within(name) { Value.read(pair.value, as: inner, context) }
      guard let value, !name.isEmpty else {
        whole = false
        continue
      }
      result.entries.append(Entry(name: name, value: value))
    }
    return whole ? result : nil
  }

  /// Reads a setting inside one of the values. A name may contain dots: of several that match, the longest is taken.
  public mutating func read(
    _ tree: Tree, at path: Substring, as kind: ValueKind, _ context: ReadContext
  ) -> Bool {
    guard case .map(let inner) = kind,
      let found = ValueKind.longest(of: entries.lazy.map(\.name), in: path), let rest = found.rest
    else { return false }
    return entries[found.index].value.read(tree, at: rest, as: inner, context)
  }

  /// The value as text of a graph file.
  public func written(as kind: ValueKind) -> String { written(kind) { $0.written(as: $1) } }

  /// The names, with the parts of the values whose change requires `change`.
  public func written(as kind: ValueKind, asking change: Change) -> String {
    written(kind) { $0.written(as: $1, asking: change) }
  }

  private func written(_ kind: ValueKind, _ text: (Value, ValueKind) -> String) -> String {
    guard case .map(let inner) = kind, !entries.isEmpty else { return "{}" }
    let pairs = entries.map { "\(yamlText($0.name)): \(text($0.value, inner))" }
    return "{ " + pairs.joined(separator: ", ") + " }"
  }
}

extension Bool: FieldValue {
  /// The default kind of a field of this type.
  public static var kind: ValueKind { .flag }

  /// Reads the value; nil after reporting a fault. [control]
  public static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> Bool? {
    if case .flag(let isOn) = tree.content { return isOn }
    switch tree.text {
    case "true", "yes", "on": return true
    case "false", "no", "off": return false
    default:
      let small = tree.text.map { $0.lowercased() } ?? ""
      let isMeant = ["true", "yes", "on", "false", "no", "off"].contains(small)
      context.expected(kind.words, tree, notes: isMeant ? ["write \(small), in small letters"] : [])
      return nil
    }
  }

  /// The value as text of a graph file.
  public func written(as kind: ValueKind) -> String { self ? "true" : "false" }

  /// The flag itself.
  public func value(as kind: ValueKind) -> SettingValue { .flag(self) }
}
