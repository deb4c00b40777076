extension Tree {
  /// The text of a scalar; nil for a list or map.
  public var text: String? {
    if case .scalar(let text, _) = content { text } else { nil }
  }

  /// The values of a list; nil for anything else.
  public var list: [Tree]? {
    if case .list(let values) = content { values } else { nil }
  }

  /// The pairs of a map, in file order; nil for anything else.
  public var map: [Pair]? {
    if case .map(let pairs) = content { pairs } else { nil }
  }

  /// Whether nothing was written here (`key:` and no more).
  public var isNothing: Bool {
    if case .scalar("", quoted: false) = content { true } else { false }
  }

  /// What a sentence calls it: `"0.5 s"`, `a list`, `a map`, `nothing`.
  public var words: String {
    switch content {
    case .scalar(let text, _): isNothing ? "nothing" : quote(text)
    case .list: "a list"
    case .map: "a map"
    }
  }
}

/// Somebody's text inside a sentence: in quotes, cut where it is long, nothing in it that moves the cursor.
public func quote(_ text: String) -> String {
  "\"" + plain(text) + "\""
}

/// Somebody's name inside a sentence: cut where it is long, nothing in it that moves the cursor.
func plain(_ text: String) -> String { plain(text, most: 60) }

/// The same, cut behind `most` code points.
func plain(_ text: String, most: Int) -> String {
  var result = ""
  for (index, scalar) in text.unicodeScalars.prefix(most + 1).enumerated() {
    if index == most { return result + "…" }
    result += scalar.isSafeToShow ? String(scalar) : "\\u{" + String(scalar.value, radix: 16) + "}"
  }
  return result
}
