/// Replaces `${name}` by the `values:` of a graph file; `$${` becomes `${`.
struct Substitution {
  private var values: [String: (text: String, quoted: Bool)] = [:]
  private var names: [String] = []
  /// The same, for fast searches. Both include names whose value is invalid.
  private var known: Set<String> = []
  private var budget = Limits.substitutedBytes
  private var spent = false

  /// Reads `values:`. A value may use those above it. Overrides replace values of the file.
  init(_ tree: Tree?, overrides: [Override], _ context: ReadContext) {
    var overridden: [String: String] = [:]
    for override in overrides { overridden[override.target] = override.value.text }
    if let tree, !tree.isNothing {
      if tree.map == nil { context.expected("a map from names to texts", tree) }
      let pairs = tree.map ?? []
      for pair in pairs {
        guard let name = pair.key.text, !name.hasPrefix("x-") else { continue }
        guard isName(name) else {
          context.report(.wrongValueName(name, at: pair.key.mark))
          continue
        }
        if let value = overridden[name] {
          values[name] = (value, false)
        } else if case .scalar(let text, let quoted) = pair.value.content {
          values[name] = (put(into: text, of: pair.value, context) ?? text, quoted)
        } else {
          context.within(name) { context.expected("text or a number", pair.value) }
        }
        names.append(name)
        known.insert(name)
      }
    }
    for override in overrides where !known.contains(override.target) {
      context.report(.unknownValue(override.target, known: names, at: override.mark, suggesting: true))
    }
  }

  /// Returns a tree with every `${name}` in its values replaced. Keys are not changed.
  mutating func apply(to tree: Tree, _ context: ReadContext) -> Tree {
    var result = tree
    switch tree.content {
    case .scalar(let text, let quoted):
      guard text.utf8.contains(UInt8(ascii: "$")) else { break }
      guard let new = put(into: text, of: tree, context) else {
        // Suppresses faults of the setting, which would be about the text with the `${name}`.
        context.spoiled.insert(tree.mark)
        break
      }
      result.content = .scalar(new, quoted: only(text)?.quoted ?? quoted)
    case .number, .flag: break
    case .list(let list): result.content = .list(list.map { apply(to: $0, context) })
    case .map(let pairs):
      result.content = .map(
        pairs.map { pair in
          if pair.key.text?.hasPrefix("x-") == true { return pair }
          return Tree.Pair(key: pair.key, value: apply(to: pair.value, context))
        })
    }
    return result
  }

  /// The value if the text is one `${name}` and nothing else.
  private func only(_ text: String) -> (text: String, quoted: Bool)? {
    text.hasPrefix("${") && text.hasSuffix("}") ? values[String(text.dropFirst(2).dropLast())] : nil
  }

  private mutating func put(into text: String, of tree: Tree, _ context: ReadContext) -> String? {
    var result: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let dollar = rest.firstIndex(of: UInt8(ascii: "$")) {
      result += rest[..<dollar]
      rest = rest[dollar...]
      if rest.starts(with: "$${".utf8) {
        result += "${".utf8
        rest = rest.dropFirst(3)
      } else if rest.starts(with: "${".utf8) {
        guard let close = rest.firstIndex(of: UInt8(ascii: "}")) else {
          context.report(.openSubstitution(at: tree.mark))
          return nil
        }
        let name = String(decoding: rest[(dollar + 2)..<close], as: UTF8.self)
        guard let value = values[name] else {
          if !known.contains(name) {
            context.report(
              .unknownValue(name, known: names, at: tree.mark, suggesting: !context.hasPlenty))
          }
          return nil
        }
        budget -= value.text.utf8.count
        guard budget >= 0 else {
          if !spent { context.report(.tooMuchSubstitution(at: tree.mark)) }
          spent = true
          return nil
        }
        result += value.text.utf8
        rest = rest[(close + 1)...]
      } else {
        result.append(rest.removeFirst())
      }
    }
    return String(decoding: result + rest, as: UTF8.self)
  }
}
