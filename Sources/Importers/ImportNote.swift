/// Something of a particle file that an emitter file says differently, or not at all.
public struct ImportNote: Hashable, Sendable {
  /// What became of it.
  public enum Kind: String, Sendable, CaseIterable {
    /// The emitter file has nothing like it.
    case left = "not carried over"
    /// The emitter file comes near it.
    case approximated
    /// It was out of range, missing or ambiguous, and something else was taken.
    case changed
  }

  /// What became of it.
  public let kind: Kind
  /// The keys of the particle file, as the file spells them.
  public let keys: [String]
  /// What became of them and why, in half a sentence without a full stop.
  public let sentence: String

  init(_ kind: Kind, _ keys: [String], _ sentence: String) {
    self.kind = kind
    self.keys = keys.map { FileText.shown($0) }
    self.sentence = sentence
  }

  /// Keys and sentence in one line, free of control characters.
  public var text: String { "\(keys.joined(separator: ", ")): \(sentence)" }
}
