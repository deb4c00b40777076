/// Diagnostics about the top level of a file and about nodes.
extension Diagnostic {
  static func notAGraph(_ tree: Tree) -> Diagnostic {
    Diagnostic(
      "wrong-value", "a graph file must be a map of keys and values, not \(tree.words)", at: tree.mark,
      notes: [beginning])
  }

  static func missingVersion() -> Diagnostic {
    Diagnostic(
      "missing-version", "the file has no format version",
      at: SourceRange.start(),
      notes: ["write visgraph: 1 in the first line"])
  }

  static func wrongVersion(_ tree: Tree) -> Diagnostic {
    Diagnostic(
      "wrong-version", "visgraph: must be 1, not \(tree.words)", at: tree.mark,
      notes: ["it is the version of the file format, not of the program: write visgraph: 1"])
  }

  static func newerVersion(_ version: String, at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "newer-version", "the file has format \(plain(version)), which needs a newer version of visgraph",
      at: mark,
      notes: ["this version of visgraph reads format 1: install a newer one"])
  }

  static func claimedTwice(_ claim: String, by id: String, owner: String, at mark: SourceRange) -> Diagnostic
  {
    Diagnostic(
      "claimed-twice", "\(owner) and \(id) both send \(claim)", at: mark,
      notes: ["wire all its levels to one of them, or give one of them another address"])
  }

  static func wrongValueName(_ name: String, at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "wrong-name", "\(quote(name)) is not a valid name of a value; use 1 to 64 letters, digits, - and _",
      at: mark)
  }

  static func unknownValue(
    _ name: String, known: [String], at mark: SourceRange, suggesting: Bool
  ) -> Diagnostic {
    let list = known.isEmpty ? "the file defines no values" : "the file defines: \(some(known))"
    return Diagnostic(
      "unknown-value", "the value \(quote(name)) is not defined", at: mark,
      notes: (suggesting ? didYouMean(name, known) : []) + [
        list, "to write ${ literally, write $${",
      ])
  }

  static func openSubstitution(at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "open-substitution", "the ${ is not closed by }", at: mark,
      notes: ["to write ${ literally, write $${"])
  }

  static func tooMuchSubstitution(at mark: SourceRange) -> Diagnostic {
    Diagnostic("too-long", "the text inserted for ${…} exceeds 1 MB", at: mark)
  }

  static func noNodes(at mark: SourceRange?) -> Diagnostic {
    Diagnostic(
      "no-nodes", "the graph has no nodes", at: mark,
      notes: ["write nodes: and under it ID: { type: TYPE }; visgraph nodes lists the types"])
  }

  static func wrongID(_ id: String, at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "wrong-id", "\(quote(id)) is not a valid id; use 1 to 64 letters, digits, - and _", at: mark)
  }

  static func reservedID(_ id: String, at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "reserved-id", "\(id) cannot be an id: OSC addresses of visgraph itself begin with it", at: mark,
      notes: ["reserved ids: \(NodeEntry.reserved.joined(separator: ", "))"])
  }

  static func missingType(_ id: String, known: [String], at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "missing-type", "the node \(plain(id)) has no type", at: mark,
      notes: [
        "write type: with one of \(known.joined(separator: ", "))", "or like: with the id of another node",
      ])
  }

  static func unknownType(_ name: String, known: [String], at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "unknown-type", "there is no node type \(quote(name))", at: mark,
      notes: meantType(name, known) + ["possible types: \(known.joined(separator: ", "))"])
  }

  /// Suggests the type with the nearest name, or else the types (at most three) with the word in their names:
  /// osc-output for `osc`.
  private static func meantType(_ name: String, _ known: [String]) -> [String] {
    if let near = nearest(to: name, among: known) { return ["did you mean \(near)?"] }
    let parts = known.filter { $0.split(separator: "-").contains { $0 == name.lowercased() } }
    return (1...3).contains(parts.count) ? ["did you mean \(parts.joined(separator: " or "))?"] : []
  }

  static func unknownNode(_ id: String, known: [String], at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "unknown-node", "there is no node \(quote(id))", at: mark,
      notes: didYouMean(id, known) + (known.isEmpty ? [] : ["the graph has: \(some(known))"]))
  }

  static func likeLoop(_ ids: [String], at mark: SourceRange?) -> Diagnostic {
    Diagnostic(
      "like-loop", "like: forms a loop: \(loopPath(ids))", at: mark,
      notes: ["remove like: from one of these nodes"])
  }

  static func likeTooLong(_ id: String, at mark: SourceRange?) -> Diagnostic {
    Diagnostic(
      "like-too-long",
      "the chain of like: from \(plain(id)) has more than \(Limits.likeChain) nodes",
      at: mark, notes: ["write like: with a node further on in the chain"])
  }

  static func likeOtherType(
    _ id: String, _ type: String, _ other: String, _ otherType: String, at mark: SourceRange
  ) -> Diagnostic {
    Diagnostic(
      "like-other-type",
      "\(plain(id)) is of type \(type) and cannot be like \(plain(other)), which is of type \(otherType)",
      at: mark,
      notes: ["remove type: or like:"])
  }

  static func nothingInside(_ path: String, at mark: SourceRange) -> Diagnostic {
    Diagnostic("unknown-setting", "\(plain(path)) leads into a value that has no settings inside", at: mark)
  }

  static func notForEach(
    _ name: String, of type: String, allowed: [String], at mark: SourceRange
  ) -> Diagnostic {
    let note =
      allowed.isEmpty
      ? "no setting of \(type) can differ by channel"
      : "settings that can differ by channel: \(allowed.joined(separator: ", "))"
    return Diagnostic(
      "not-for-each", "\(name) has one value for all channels", at: mark, notes: [note])
  }

  static func tooManyEach(at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "too-long", "each: has more than \(Limits.eachSettings) settings of single channels", at: mark)
  }

  static func sameKey(_ key: String, of id: String, and other: String, at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "equal-keys",
      "the key \(plain(key)) is assigned to sounds of \(plain(id)) and of \(plain(other)); only \(plain(other)) plays its sound",
      at: mark, notes: ["give one of them another key"])
  }

  static func furtherFaults(_ count: Int) -> Diagnostic {
    Diagnostic("further-faults", "and \(count) more \(count == 1 ? "fault" : "faults")", at: nil)
  }

  /// The ids of a loop as messages show them: `a -> b -> a`, without the middle of a long one.
  static func loopPath(_ ids: [String]) -> String {
    let shown = ids.count > 12 ? ids.prefix(6) + ["… \(ids.count - 11) more …"] + ids.suffix(5) : ids[...]
    return (shown + ids.prefix(1)).joined(separator: " -> ")
  }

  /// The first 20 names, and the number of the others.
  static func some(_ names: [String]) -> String {
    let shown = names.prefix(20).map(plain).joined(separator: ", ")
    return names.count > 20 ? "\(shown) and \(names.count - 20) more" : shown
  }
}

/// Diagnostics about keys in the wrong place.
extension Diagnostic {
  static func misplacedSettings(
    _ names: [String], of owner: String, isFlow: Bool, at mark: SourceRange
  ) -> Diagnostic {
    let (belong, them) = names.count == 1 ? ("belongs", "it") : ("belong", "them")
    let what = isFlow ? "write \(them) inside its { }" : "indent \(them)"
    return Diagnostic("misplaced-setting", "\(list(names)) \(belong) to \(owner); \(what)", at: mark)
  }

  static func misplacedNodes(_ names: [String], hasNodes: Bool, at mark: SourceRange) -> Diagnostic {
    let (belong, them) = names.count == 1 ? ("is a node and belongs", "it") : ("are nodes and belong", "them")
    let what = hasNodes ? "indent \(them)" : "write nodes: above, and indent \(them)"
    return Diagnostic("misplaced-node", "\(list(names)) \(belong) under nodes; \(what)", at: mark)
  }

  static func missingSpace(_ key: String, _ value: String, at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "missing-space", "a space is missing after the colon", at: mark,
      notes: ["write \(plain(key)): \(plain(value))"])
  }

  static func nodesInList(_ id: String, at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "wrong-value", "nodes is a list; it takes a map from ids to nodes", at: mark,
      notes: ["remove the - of every node, and write \(plain(id)): { type: TYPE }"])
  }

  static func typeAlone(_ id: String, _ type: String, at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "wrong-value", "\(plain(id)) is \(quote(type)); it takes a map with type: and settings", at: mark,
      notes: ["write \(plain(id)): { type: \(type) }"])
  }

  /// A key that a record does not have, with a note on what was probably meant. `before` is the pair before it. `quick`:
  /// leaves out suggestions, which take time.
  static func unknownKey<Record: FieldRecord>(
    _ pair: Tree.Pair, behind before: Tree.Pair?, in record: Record.Type, of owner: String,
    allowed: [String], quick: Bool
  ) -> Diagnostic {
    let key = pair.key.text ?? ""
    if pair.value.isNothing, let (name, value) = MissingSpace.parts(key), allowed.contains(name) {
      return .missingSpace(name, value, at: pair.key.mark)
    }
    if pair.value.isNothing, let (name, value) = LineText.keyWithoutColon(key[...]), !value.isEmpty,
      allowed.contains(name)
    {
      return .missingColon(name, value, at: pair.key.mark)
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
        "a comma separates values here: write a decimal point, \(plain(number)).\(plain(key))", at: 0)
    } else if let inner = pair.value.map?.first?.key.text, allowed.contains(inner) {
      fault.notes.insert(
        "\(inner) is a setting of \(owner) itself: remove \(plain(key)): and indent less", at: 0)
    }
    return fault
  }

  /// Names as messages list them: `a`, `a and b`, `a, b and c`.
  private static func list(_ names: [String]) -> String {
    let names = names.count > 8 ? names.prefix(7) + ["\(names.count - 7) more"] : names[...]
    guard let last = names.last, names.count > 1 else { return names.first.map(plain) ?? "" }
    return names.dropLast().map(plain).joined(separator: ", ") + " and " + plain(last)
  }
}
