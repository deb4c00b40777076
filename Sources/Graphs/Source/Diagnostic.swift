/// One fault of a graph file: what is wrong, where, what is allowed and what to do.
public struct Diagnostic: Error, Equatable, Sendable {
  /// A stable code in kebab case (`unknown-setting`), which programs may rely on.
  public var code: String
  /// What is wrong, in one sentence without a full stop.
  public var message: String
  /// The place; nil where the file as a whole is at fault.
  public var mark: SourceRange?
  /// What is allowed, and what to do, a line each.
  public var notes: [String]
  /// Whether it probably follows from another fault. It is then reported after that one.
  var isConsequence = false
  /// Whether a value is missing. The cause may be a `#` without quotes, which begins a comment.
  var isValueMissing = false

  /// The most code points of a message or note.
  private static let most = 2000

  /// Makes a diagnostic. Control characters of untrusted text are escaped, so that nothing moves the terminal's cursor.
  public init(_ code: String, _ message: String, at mark: SourceRange?, notes: [String] = []) {
    self.code = code
    self.message = Self.shown(message)
    self.mark = mark
    self.notes = notes.map(Self.shown)
  }

  private static func shown(_ text: String) -> String {
    if text.utf8.count <= most, text.utf8.allSatisfy({ $0 &- 0x20 < 0x5F }) { return text }
    if text.utf8.count <= most, text.unicodeScalars.allSatisfy(\.isSafeToShow) { return text }
    return plain(text, most: most)
  }
}
