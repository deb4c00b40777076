/// A loss or a change in the conversion of another program's file.
public struct ImportNote: Hashable, Sendable {
  /// The kind of loss.
  public enum Kind: String, Sendable, CaseIterable {
    /// The target format has no equivalent.
    case left = "not carried over"
    /// The target format has something similar.
    case approximated
    /// A value was out of range, missing or ambiguous, and was replaced.
    case changed
  }

  /// What became of the keys.
  public let kind: Kind
  /// The keys of the file, as it spells them. Of many, the last text says how many more there are.
  public let keys: [String]
  /// What happened to them and why, in half a sentence without a full stop.
  public let message: String

  init(_ kind: Kind, _ keys: [String], _ message: String) {
    self.kind = kind
    self.keys = keys.map { FileText.shown($0) }
    self.message = message
  }

  /// The notes as lines under headings.
  static func lines(_ notes: [ImportNote]) -> [String] {
    Kind.allCases.flatMap { kind in
      let own = notes.filter { $0.kind == kind }
      let heading = kind.rawValue.prefix(1).uppercased() + kind.rawValue.dropFirst() + ":"
      return own.isEmpty ? [] : [heading] + own.map { "- \($0.text)" }
    }
  }

  /// The keys and the message in one line, without control characters.
  public var text: String { "\(keys.joined(separator: ", ")): \(message)" }
}
