extension Bool: FieldValue {
  /// The kind when a declaration names none.
  public static var kind: Kind { .flag }

  /// Reads it; when it is at fault that goes to `reading`, and the result is nil. [control]
  public static func read(_ tree: Tree, as kind: Kind, _ reading: Reading) -> Bool? {
    switch tree.text {
    case "true", "yes", "on": return true
    case "false", "no", "off": return false
    default:
      let small = tree.text.map { $0.lowercased() } ?? ""
      let isMeant = ["true", "yes", "on", "false", "no", "off"].contains(small)
      reading.expected(kind.words, tree, notes: isMeant ? ["write \(small), in small letters"] : [])
      return nil
    }
  }

  /// As a graph file would write it.
  public func written(as kind: Kind) -> String { self ? "true" : "false" }
}
