/// Why a path leads to no number: what, where in the path, and what is there instead.
public struct NumberPathFault: Error, Equatable, Sendable {
  /// What is wrong.
  public enum Reason: Equatable, Sendable {
    /// The path ends before a number.
    case incomplete
    /// There is no cell of that name.
    case unknownCell
    /// There is no property of that name.
    case unknownProperty
    /// The property is there, and is no number: what it is, in two words.
    case notANumber(String)
  }

  /// What is wrong.
  public let reason: Reason
  /// The whole path, as given.
  public let path: String
  /// The part at fault, as given.
  public let part: String
  /// Where that part stands in the path, in Unicode scalars from 0; empty at the end of an incomplete path.
  public let position: Range<Int>
  /// The plain path of the layer or cell that was searched: empty for the layer, else `cells.spark`.
  public let place: String
  /// What could stand there, in the plain form.
  public let known: [String]
  /// All words that could stand there, Apple's full ones among them.
  public let words: [String]

  /// Stable, kebab-case.
  public var code: String {
    switch reason {
    case .incomplete: "key-incomplete"
    case .unknownCell: "unknown-cell"
    case .unknownProperty: "unknown-key"
    case .notANumber: "key-not-a-number"
    }
  }
}
