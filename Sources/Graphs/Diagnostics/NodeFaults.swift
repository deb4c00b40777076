/// The sentences about the file's top level and about nodes.
extension Diagnostic {
  static func notAGraph(_ tree: Tree) -> Diagnostic {
    Diagnostic(
      "wrong-value", "a graph file is a map of keys and values, and this is \(tree.words)", at: tree.mark,
      notes: ["a graph file begins with visgraph: 1, then come nodes: and wires:"])
  }

  static func missingVersion() -> Diagnostic {
    Diagnostic(
      "missing-version", "the file does not say which version of the format it is in",
      at: Mark(line: 1, column: 1, endLine: 1, endColumn: 1), notes: ["write visgraph: 1 in the first line"])
  }

  static func wrongVersion(_ tree: Tree) -> Diagnostic {
    Diagnostic(
      "wrong-version", "visgraph is \(tree.words); it takes 1", at: tree.mark,
      notes: ["it is the version of the format of graph files, not that of the program: write visgraph: 1"])
  }

  static func newerVersion(_ version: String, at mark: Mark) -> Diagnostic {
    Diagnostic(
      "newer-version", "this file was made for a newer visgraph: it is in format \(plain(version))", at: mark,
      notes: ["this visgraph reads format 1: install a newer one"])
  }

  static func wrongValueName(_ name: String, at mark: Mark) -> Diagnostic {
    Diagnostic(
      "wrong-name", "\(quote(name)) cannot name a value; take 1 to 64 letters, digits, - and _", at: mark)
  }

  static func unknownValue(
    _ name: String, known: [String], at mark: Mark, suggesting: Bool
  ) -> Diagnostic {
    let list = known.isEmpty ? "the file has no values:" : "known are \(some(known))"
    return Diagnostic(
      "unknown-value", "there is no value \(quote(name))", at: mark,
      notes: (suggesting ? didYouMean(name, known) : []) + [
        list, "for the characters ${ themselves write $${",
      ])
  }

  static func openSubstitution(at mark: Mark) -> Diagnostic {
    Diagnostic(
      "open-substitution", "a ${ without its }", at: mark,
      notes: ["for the characters ${ themselves write $${"])
  }

  static func tooMuchSubstitution(at mark: Mark) -> Diagnostic {
    Diagnostic("too-long", "the values put in place of ${…} come to more than 1 MB", at: mark)
  }

  static func noNodes(at mark: Mark?) -> Diagnostic {
    Diagnostic(
      "no-nodes", "the graph has no nodes", at: mark,
      notes: ["write nodes: and under it ID: { type: TYPE }; visgraph nodes lists the types"])
  }

  static func wrongID(_ id: String, at mark: Mark) -> Diagnostic {
    Diagnostic(
      "wrong-id", "\(quote(id)) cannot be an id; take 1 to 64 letters, digits, - and _", at: mark)
  }

  static func reservedID(_ id: String, at mark: Mark) -> Diagnostic {
    Diagnostic(
      "reserved-id", "\(id) cannot be an id: OSC addresses of visgraph itself begin with it", at: mark,
      notes: ["reserved are \(NodeEntry.reserved.joined(separator: ", "))"])
  }

  static func missingType(_ id: String, known: [String], at mark: Mark) -> Diagnostic {
    Diagnostic(
      "missing-type", "\(plain(id)) does not say its type", at: mark,
      notes: ["write type: TYPE, one of \(known.joined(separator: ", "))", "or like: ID of another node"])
  }

  static func unknownType(_ name: String, known: [String], at mark: Mark) -> Diagnostic {
    Diagnostic(
      "unknown-type", "there is no node type \(quote(name))", at: mark,
      notes: meantType(name, known) + ["known are \(known.joined(separator: ", "))"])
  }

  /// The nearest type, else those of which the word is a part: osc-output for `osc`.
  private static func meantType(_ name: String, _ known: [String]) -> [String] {
    if let near = nearest(to: name, among: known) { return ["did you mean \(near)?"] }
    let parts = known.filter { $0.split(separator: "-").contains { $0 == name.lowercased() } }
    return (1...3).contains(parts.count) ? ["did you mean \(parts.joined(separator: " or "))?"] : []
  }

  static func unknownNode(_ id: String, known: [String], at mark: Mark) -> Diagnostic {
    Diagnostic(
      "unknown-node", "there is no node \(quote(id))", at: mark,
      notes: didYouMean(id, known) + (known.isEmpty ? [] : ["known are \(some(known))"]))
  }

  static func likeLoop(_ ids: [String], at mark: Mark?) -> Diagnostic {
    Diagnostic(
      "like-loop", "like: goes round in a circle: \(round(ids))", at: mark,
      notes: ["one of them must say its settings itself"])
  }

  static func likeTooLong(_ id: String, at mark: Mark?) -> Diagnostic {
    Diagnostic(
      "like-too-long",
      "\(plain(id)) is the end of a chain of more than \(Limits.likeChain) nodes, each like the next",
      at: mark, notes: ["let it be like the first of them"])
  }

  static func likeOtherType(
    _ id: String, _ type: String, _ other: String, _ otherType: String, at mark: Mark
  ) -> Diagnostic {
    Diagnostic(
      "like-other-type",
      "\(plain(id)) is of type \(type) and cannot be like \(plain(other)), which is of type \(otherType)",
      at: mark,
      notes: ["remove type: or like:"])
  }

  static func nothingInside(_ path: String, at mark: Mark) -> Diagnostic {
    Diagnostic("unknown-setting", "\(plain(path)) leads into a value that has no settings inside", at: mark)
  }

  static func notForEach(
    _ name: String, of type: String, allowed: [String], at mark: Mark
  ) -> Diagnostic {
    let note =
      allowed.isEmpty ? "no setting of \(type) can" : "those that can: \(allowed.joined(separator: ", "))"
    return Diagnostic(
      "not-for-each", "\(name) cannot differ from channel to channel", at: mark, notes: [note])
  }

  static func tooManyEach(at mark: Mark) -> Diagnostic {
    Diagnostic(
      "too-long", "each: comes to more than \(Limits.eachSettings) settings of single channels", at: mark)
  }

  static func furtherFaults(_ count: Int) -> Diagnostic {
    Diagnostic("further-faults", "and \(count) more \(count == 1 ? "fault" : "faults")", at: nil)
  }

  /// Ids of a loop as a sentence shows them: `a -> b -> a`, the middle left out where there are many.
  static func round(_ ids: [String]) -> String {
    let shown = ids.count > 12 ? ids.prefix(6) + ["… \(ids.count - 11) more …"] + ids.suffix(5) : ids[...]
    return (shown + ids.prefix(1)).joined(separator: " -> ")
  }

  /// The first of many names.
  static func some(_ names: [String]) -> String {
    let shown = names.prefix(20).map(plain).joined(separator: ", ")
    return names.count > 20 ? "\(shown) and \(names.count - 20) more" : shown
  }
}
