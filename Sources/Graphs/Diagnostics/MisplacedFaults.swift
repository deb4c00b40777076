/// The sentences about what stands in the wrong place.
extension Diagnostic {
  static func misplacedSettings(
    _ names: [String], of owner: String, isFlow: Bool, at mark: Mark
  ) -> Diagnostic {
    let (belong, them) = names.count == 1 ? ("belongs", "it") : ("belong", "them")
    let what = isFlow ? "write \(them) inside its { }" : "indent \(them)"
    return Diagnostic("misplaced-setting", "\(list(names)) \(belong) to \(owner): \(what)", at: mark)
  }

  static func misplacedNodes(_ names: [String], hasNodes: Bool, at mark: Mark) -> Diagnostic {
    let (belong, them) = names.count == 1 ? ("is a node and belongs", "it") : ("are nodes and belong", "them")
    let what = hasNodes ? "indent \(them)" : "write nodes: above, and indent \(them)"
    return Diagnostic("misplaced-node", "\(list(names)) \(belong) below nodes: \(what)", at: mark)
  }

  static func missingSpace(_ key: String, _ value: String, at mark: Mark) -> Diagnostic {
    Diagnostic(
      "missing-space", "a space is missing behind the colon", at: mark,
      notes: ["write \(plain(key)): \(plain(value))"])
  }

  static func typeAlone(_ id: String, _ type: String, at mark: Mark) -> Diagnostic {
    Diagnostic(
      "wrong-value", "\(plain(id)) is \(quote(type)); it takes a map with type: and settings", at: mark,
      notes: ["write \(plain(id)): { type: \(type) }"])
  }

  /// A key that a record does not know, with what it was probably meant as. `before` is the pair that it stands behind.
  static func unknownKey<Record: FieldRecord>(
    _ pair: Tree.Pair, behind before: Tree.Pair?, in record: Record.Type, of owner: String,
    allowed: [String], quick: Int
  ) -> Diagnostic {
    let key = pair.key.text ?? ""
    if pair.value.isNothing, let (name, value) = MissingSpace.parts(key), allowed.contains(name) {
      return .missingSpace(name, value, at: pair.key.mark)
    }
    if let before, let name = before.key.text,
      let place = Record.field(name)?.kind.record(with: key), let inside = before.value.map,
      !place.isNamed || !inside.isEmpty
    {
      let last = place.isNamed ? inside.last { $0.value.map != nil }?.key.text.map { ".\($0)" } ?? "" : ""
      return .misplacedSettings(
        [key], of: plain(name + last), isFlow: before.value.mark.line == before.key.mark.line,
        at: pair.key.mark)
    }
    var fault = unknownSetting(key, of: owner, allowed: allowed, at: pair.key.mark, quick: quick)
    if pair.value.isNothing, let digit = key.utf8.first, digit &- 0x30 < 10,
      let number = before?.value.text, !number.isEmpty,
      number.utf8.allSatisfy({ $0 &- 0x30 < 10 || $0 == 0x2D })
    {
      fault.notes.insert(
        "a comma ends a value here: write a decimal point, \(plain(number)).\(plain(key))", at: 0)
    } else if let inner = pair.value.map?.first?.key.text, allowed.contains(inner) {
      fault.notes.insert(
        "\(inner) stands in \(owner) itself: leave \(plain(key)): away and indent less", at: 0)
    }
    return fault
  }

  /// Names as a sentence has them: `a`, `a and b`, `a, b and c`.
  private static func list(_ names: [String]) -> String {
    let names = names.count > 8 ? names.prefix(7) + ["\(names.count - 7) more"] : names[...]
    guard let last = names.last, names.count > 1 else { return names.first.map(plain) ?? "" }
    return names.dropLast().map(plain).joined(separator: ", ") + " and " + plain(last)
  }
}
