/// Something of a file of another program that one of visgraph says differently, or not at all.
public struct ImportNote: Hashable, Sendable {
  /// What became of it.
  public enum Kind: String, Sendable, CaseIterable {
    /// The file has nothing like it.
    case left = "not carried over"
    /// The file comes near it.
    case approximated
    /// It was out of range, missing or ambiguous, and something else was taken.
    case changed
  }

  /// What became of it.
  public let kind: Kind
  /// The keys of that file, as it spells them.
  public let keys: [String]
  /// What became of them and why, in half a sentence without a full stop.
  public let message: String

  init(_ kind: Kind, _ keys: [String], _ message: String) {
    self.kind = kind
    self.keys = keys.map { FileText.shown($0) }
    self.message = message
  }

  /// Every note of a list as lines under headings.
  static func lines(_ notes: [ImportNote]) -> [String] {
    Kind.allCases.flatMap { kind in
      let own = notes.filter { $0.kind == kind }
      let heading = kind.rawValue.prefix(1).uppercased() + kind.rawValue.dropFirst() + ":"
      return own.isEmpty ? [] : [heading] + own.map { "- \($0.text)" }
    }
  }

  /// Keys and sentence in one line, free of control characters.
  public var text: String { "\(keys.joined(separator: ", ")): \(message)" }
}
