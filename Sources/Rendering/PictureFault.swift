/// Why a picture cannot be read or written: what, and what is allowed. [control]
public struct PictureFault: Error, Equatable, Sendable {
  /// Stable, kebab-case.
  public let code: String
  /// What is wrong, in one sentence without a full stop, the file named.
  public let sentence: String

  init(_ code: String, _ sentence: String) {
    self.code = code
    self.sentence = sentence
  }
}
