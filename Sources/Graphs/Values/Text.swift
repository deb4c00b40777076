extension String: FieldValue {
  /// The kind when a declaration names none.
  public static var kind: Kind { .text() }

  /// Reads it; when it is at fault that goes to `reading`, and the result is nil. [control]
  public static func read(_ tree: Tree, as kind: Kind, _ reading: Reading) -> String? {
    guard let text = tree.text, !tree.isNothing else {
      let note =
        tree.isNothing ? ["for an empty text write \"\"; a # begins a comment, so put it in quotes"] : []
      reading.expected(kind.words, tree, notes: note)
      return nil
    }
    guard let pattern = kind.pattern, !reading.fits(text, pattern) else { return text }
    reading.report(.doesNotFit(reading.subject, text, pattern: pattern, form: kind.form, at: tree.mark))
    return nil
  }

  /// As a graph file would write it.
  public func written(as kind: Kind) -> String { yamlText(self) }
}

extension Kind {
  fileprivate var form: String? {
    switch self {
    case .text(_, let form, _): return form
    case .oneOf(let kinds): return kinds.lazy.compactMap(\.form).first
    default: return nil
    }
  }

  /// What a text must match.
  var pattern: String? {
    switch self {
    case .text(let pattern, _, let isChecked): return isChecked ? pattern : nil
    case .oneOf(let kinds): return kinds.lazy.compactMap(\.pattern).first
    default: return nil
    }
  }
}

/// A text as a graph file writes it: bare where that is safe, else in quotes.
func yamlText(_ text: String) -> String {
  let safe = text.utf8.allSatisfy {
    ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 || "._-/ ".utf8.contains($0)
  }
  let reserved = ["true", "false", "yes", "no", "on", "off", "null", "none"]
  let first = text.utf8.first ?? 0x20
  if safe, (first | 0x20) &- 0x61 < 26, text.utf8.last != 0x20, !reserved.contains(text) { return text }
  var result = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"": result += "\\\""
    case "\\": result += "\\\\"
    case "\n": result += "\\n"
    case "\t": result += "\\t"
    default:
      if scalar.isSafeToShow {
        result.unicodeScalars.append(scalar)
      } else {
        let hex = String(scalar.value, radix: 16)
        result += "\\U" + String(repeating: "0", count: 8 - hex.count) + hex
      }
    }
  }
  return result + "\""
}
