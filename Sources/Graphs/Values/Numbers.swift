extension ReadContext {
  /// Reads a number in a unit, within a range; nil after reporting a fault.
  public func number(
    _ tree: Tree, _ unit: Unit, in range: ClosedRange<Double>, whole: Bool = false
  ) -> Double? {
    if case .number(let value) = tree.content, range.contains(value), !whole || value == value.rounded() {
      // Turns -0 into 0.
      return value + 0
    }
    let kind = ValueKind.number(unit, range, whole: whole)
    guard let text = tree.text, !tree.isNothing else {
      expected(kind.words, tree)
      return nil
    }
    if unit == .gain, Unit.silence.contains(text) { return range.lowerBound }
    guard let quantity = Quantity(text) ?? (unit == .seconds ? Quantity.clock(text) : nil) else {
      expected(kind.words, tree, notes: hints(for: text))
      return nil
    }
    guard let value = unit.value(of: quantity, fps: fps, stage: stage) else {
      report(.unknownUnit(subject, quantity.unit, unit, takes: kind.words, at: tree.mark))
      return nil
    }
    guard range.contains(value), !whole || value == value.rounded() else {
      report(.outOfRange(subject, text, takes: kind.words, at: tree.mark))
      return nil
    }
    return value
  }

  private func hints(for text: String) -> [String] {
    if text.contains(",") && !text.contains(".") { return ["write a decimal point, not a comma"] }
    if text.contains("\u{2212}") { return ["write - for minus"] }
    if text.contains("_") { return ["write the digits without _"] }
    return []
  }
}

extension ValueKind {
  /// The unit and range of a number; of several kinds, those of the first number.
  var asNumber: (unit: Unit, range: ClosedRange<Double>, whole: Bool)? {
    switch self {
    case .number(let unit, let range, let whole): return (unit, range, whole)
    case .oneOf(let kinds): return kinds.firstFound(\.asNumber)
    default: return nil
    }
  }

  func written(_ number: Double) -> String {
    let symbol = asNumber?.unit.symbol ?? ""
    return symbol.isEmpty ? shortest(number) : "\(shortest(number)) \(symbol)"
  }
}

extension Double: FieldValue {
  /// The default kind of a field of this type.
  public static var kind: ValueKind { .number(.none, -greatestFiniteMagnitude...greatestFiniteMagnitude) }

  /// Reads the value; nil after reporting a fault. [control]
  public static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> Double? {
    guard let number = kind.asNumber else { fatalError("a number is declared as \(kind.words)") }
    return context.number(tree, number.unit, in: number.range, whole: number.whole)
  }

  /// The value as text of a graph file.
  public func written(as kind: ValueKind) -> String { kind.written(self) }

  /// The number itself, in its unit.
  public func value(as kind: ValueKind) -> SettingValue { .number(self) }
}

extension Float: FieldValue {
  /// The default kind of a field of this type.
  public static var kind: ValueKind {
    .number(.none, -Double(greatestFiniteMagnitude)...Double(greatestFiniteMagnitude))
  }

  /// Reads the value; nil after reporting a fault. [control]
  public static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> Float? {
    guard let value = Double.read(tree, as: kind, context) else { return nil }
    let rounded = Float(value)
    guard rounded.isFinite else {
      context.report(.outOfRange(context.subject, tree.text ?? "", takes: Float.kind.words, at: tree.mark))
      return nil
    }
    return rounded
  }

  /// The value as text of a graph file.
  public func written(as kind: ValueKind) -> String {
    kind.written(asWritten)
  }

  /// The number that it is written as, in its unit.
  public func value(as kind: ValueKind) -> SettingValue { .number(asWritten) }
}

extension Int: FieldValue {
  /// The default kind of a field of this type.
  public static var kind: ValueKind {
    .number(.none, -9_007_199_254_740_991...9_007_199_254_740_991, whole: true)
  }

  /// Reads the value; nil after reporting a fault. [control]
  public static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> Int? {
    guard let number = kind.asNumber else { fatalError("a number is declared as \(kind.words)") }
    guard let value = context.number(tree, number.unit, in: number.range, whole: true) else { return nil }
    guard let whole = Int(exactly: value) else {
      context.report(.outOfRange(context.subject, tree.text ?? "", takes: Int.kind.words, at: tree.mark))
      return nil
    }
    return whole
  }

  /// The value as text of a graph file.
  public func written(as kind: ValueKind) -> String { kind.written(Double(self)) }

  /// The number itself, in its unit.
  public func value(as kind: ValueKind) -> SettingValue { .number(Double(self)) }
}
