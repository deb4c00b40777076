/// One fault of a graph file: what, where, what is allowed, what to do.
public struct Diagnostic: Error, Equatable, Sendable {
  /// Stable, kebab-case (`unknown-setting`); programs may rely on it.
  public var code: String
  /// What is wrong, in one sentence without a full stop.
  public var message: String
  /// Where; nil when it is the file as a whole.
  public var mark: SourceRange?
  /// What is allowed, and what to do, a line each.
  public var notes: [String]
  /// Whether it probably follows from another fault, behind which it is reported.
  var isConsequence = false

  /// The most code points of a sentence or note; more than that nobody reads.
  private static let most = 2000

  /// Makes a diagnostic. What others have put into the texts is made safe to show: nothing in them moves the cursor.
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
