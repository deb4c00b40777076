/// Why a particle file cannot be read: what, where, and what is allowed. [control]
public struct ImportFault: Error, Equatable, Sendable {
  /// Stable, kebab-case.
  public let code: String
  /// What is wrong, in one sentence without a full stop, the file named.
  public let sentence: String

  init(_ code: String, _ sentence: String) {
    self.code = code
    self.sentence = sentence
  }
}
