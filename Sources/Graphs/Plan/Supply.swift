/// Something that delivers samples to the callback from elsewhere, such as a file from a disk. [control]
public protocol Supply: AnyObject, Sendable {
  /// Has everything ready for the first cycle; returns when it is so.
  func prime()
  /// Tops up on the caller's thread, for hosts that are not real time: afterwards `count` samples are there, or the end is
  /// known.
  func supply(_ count: Int)
  /// How many samples it plays in all; nil when that has no end or is not known.
  var length: Int64? { get }
  /// What happened to it since the last call, one sentence each.
  func news() -> [String]
}
