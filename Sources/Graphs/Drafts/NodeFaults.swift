/// Diagnostics about the top level of a file and about nodes.
extension Diagnostic {
  static func notAGraph(_ tree: Tree) -> Diagnostic {
    Diagnostic(
      "wrong-value", "a graph file is a map of keys and values, and this is \(tree.words)", at: tree.mark,
      notes: [beginning])
  }

  static func missingVersion() -> Diagnostic {
    Diagnostic(
      "missing-version", "the file does not say which version of the format it is in",
      at: SourceRange.start(),
      notes: ["write visgraph: 1 in the first line"])
  }

  static func wrongVersion(_ tree: Tree) -> Diagnostic {
    Diagnostic(
      "wrong-version", "visgraph is \(tree.words); it takes 1", at: tree.mark,
      notes: ["it is the version of the format of graph files, not that of the program: write visgraph: 1"])
  }

  static func newerVersion(_ version: String, at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "newer-version", "this file was made for a newer visgraph: it is in format \(plain(version))", at: mark,
      notes: ["this visgraph reads format 1: install a newer one"])
  }

  static func claimedTwice(_ claim: String, by id: String, owner: String, at mark: SourceRange) -> Diagnostic
  {
    Diagnostic(
      "claimed-twice", "\(id) would send \(claim), which \(owner) sends already", at: mark,
      notes: ["wire all levels of it to one of them, or give one another address"])
  }

  static func wrongValueName(_ name: String, at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "wrong-name", "\(quote(name)) cannot name a value; take 1 to 64 letters, digits, - and _", at: mark)
  }

  static func unknownValue(
    _ name: String, known: [String], at mark: SourceRange, suggesting: Bool
  ) -> Diagnostic {
    let list = known.isEmpty ? "the file has no values:" : "known are \(some(known))"
    return Diagnostic(
      "unknown-value", "there is no value \(quote(name))", at: mark,
      notes: (suggesting ? didYouMean(name, known) : []) + [
        list, "for the characters ${ themselves write $${",
      ])
  }

  static func openSubstitution(at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "open-substitution", "a ${ without its }", at: mark,
      notes: ["for the characters ${ themselves write $${"])
  }

  static func tooMuchSubstitution(at mark: SourceRange) -> Diagnostic {
    Diagnostic("too-long", "the values put in place of ${…} come to more than 1 MB", at: mark)
  }

  static func noNodes(at mark: SourceRange?) -> Diagnostic {
    Diagnostic(
      "no-nodes", "the graph has no nodes", at: mark,
      notes: ["write nodes: and under it ID: { type: TYPE }; visgraph nodes lists the types"])
  }

  static func wrongID(_ id: String, at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "wrong-id", "\(quote(id)) cannot be an id; take 1 to 64 letters, digits, - and _", at: mark)
  }

  static func reservedID(_ id: String, at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "reserved-id", "\(id) cannot be an id: OSC addresses of visgraph itself begin with it", at: mark,
      notes: ["reserved are \(NodeEntry.reserved.joined(separator: ", "))"])
  }

  static func missingType(_ id: String, known: [String], at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "missing-type", "\(plain(id)) does not say its type", at: mark,
      notes: ["write type: TYPE, one of \(known.joined(separator: ", "))", "or like: ID of another node"])
  }

  static func unknownType(_ name: String, known: [String], at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "unknown-type", "there is no node type \(quote(name))", at: mark,
      notes: meantType(name, known) + ["known are \(known.joined(separator: ", "))"])
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
      notes: didYouMean(id, known) + (known.isEmpty ? [] : ["known are \(some(known))"]))
  }

  static func likeLoop(_ ids: [String], at mark: SourceRange?) -> Diagnostic {
    Diagnostic(
      "like-loop", "like: goes round in a circle: \(loopPath(ids))", at: mark,
      notes: ["one of them must state its settings itself"])
  }

  static func likeTooLong(_ id: String, at mark: SourceRange?) -> Diagnostic {
    Diagnostic(
      "like-too-long",
      "\(plain(id)) is the end of a chain of more than \(Limits.likeChain) nodes, each like the next",
      at: mark, notes: ["let it be like the first of them"])
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
      allowed.isEmpty ? "no setting of \(type) can" : "those that can: \(allowed.joined(separator: ", "))"
    return Diagnostic(
      "not-for-each", "\(name) cannot differ from channel to channel", at: mark, notes: [note])
  }

  static func tooManyEach(at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "too-long", "each: comes to more than \(Limits.eachSettings) settings of single channels", at: mark)
  }

  static func sameKey(_ key: String, of id: String, and other: String, at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "equal-keys",
      "the key \(plain(key)) is that of a sound of \(plain(id)) and of \(plain(other)), which plays it",
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
    return Diagnostic("misplaced-setting", "\(list(names)) \(belong) to \(owner): \(what)", at: mark)
  }

  static func misplacedNodes(_ names: [String], hasNodes: Bool, at mark: SourceRange) -> Diagnostic {
    let (belong, them) = names.count == 1 ? ("is a node and belongs", "it") : ("are nodes and belong", "them")
    let what = hasNodes ? "indent \(them)" : "write nodes: above, and indent \(them)"
    return Diagnostic("misplaced-node", "\(list(names)) \(belong) below nodes: \(what)", at: mark)
  }

  static func missingSpace(_ key: String, _ value: String, at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "missing-space", "a space is missing behind the colon", at: mark,
      notes: ["write \(plain(key)): \(plain(value))"])
  }

  static func nodesInList(_ id: String, at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "wrong-value", "nodes is a list; it takes a map from ids to nodes", at: mark,
      notes: ["write \(plain(id)): { type: TYPE }, without a - before it, and the others likewise"])
  }

  static func typeAlone(_ id: String, _ type: String, at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "wrong-value", "\(plain(id)) is \(quote(type)); it takes a map with type: and settings", at: mark,
      notes: ["write \(plain(id)): { type: \(type) }"])
  }

  /// A key that a record does not have, with a note on what was probably meant. `before` is the pair before it.
  static func unknownKey<Record: FieldRecord>(
    _ pair: Tree.Pair, behind before: Tree.Pair?, in record: Record.Type, of owner: String,
    allowed: [String], quick: Int
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
        "a comma ends a value here: write a decimal point, \(plain(number)).\(plain(key))", at: 0)
    } else if let inner = pair.value.map?.first?.key.text, allowed.contains(inner) {
      fault.notes.insert(
        "\(inner) stands in \(owner) itself: remove \(plain(key)): and indent less", at: 0)
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
