/// Where a file could not be decoded and went on after it. [any]
///
/// What was lost is heard as silence of its length as far as that is known.
public struct DecodeBreaks: Equatable, Sendable {
  /// How often since the file was opened.
  public var count = 0
  /// The sample of the file at which it happened last.
  public var position: Int64 = 0
  /// What the decoder said last.
  public var fault: AudioFault?

  /// None yet.
  public init() {}

  /// Notes another one.
  mutating func note(_ fault: AudioFault, at position: Int64) {
    count += 1
    self.fault = fault
    self.position = position
  }
}
