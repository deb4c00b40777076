/// One fault of a graph file: what, where, what is allowed, what to do.
public struct Diagnostic: Error, Equatable, Sendable {
  /// Stable, kebab-case (`unknown-setting`); programs may rely on it.
  public var code: String
  /// What is wrong, in one sentence without a full stop.
  public var sentence: String
  /// Where; nil when it is the file as a whole.
  public var mark: Mark?
  /// What is allowed, and what to do, a line each.
  public var notes: [String]

  /// Makes a diagnostic.
  public init(_ code: String, _ sentence: String, at mark: Mark?, notes: [String] = []) {
    self.code = code
    self.sentence = sentence
    self.mark = mark
    self.notes = notes
  }
}
