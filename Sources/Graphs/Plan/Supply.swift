/// Something that delivers samples to the callback from elsewhere, such as a file from a disk. [any]
public protocol Supply: AnyObject, Sendable {
  /// The node it is for.
  var id: String { get }
  /// Where the samples come from: the path of a file.
  var path: String { get }
  /// Samples played so far, at the host's rate.
  var position: Int64 { get }
  /// What went wrong with it last; nil if nothing did.
  var fault: String? { get }
  /// Has everything ready for the first cycle; returns when it is so.
  func prime()
  /// Tops up on the caller's thread, for hosts that are not real time: afterwards `count` samples are there, or the end is
  /// known. In freewheel [audio] calls it, too.
  func supply(_ count: Int)
  /// How many samples it plays in all; nil as long as that is not known for certain, and for ever if it has no end.
  var length: Int64? { get }
  /// How many samples the file itself promises, at the host's rate; for progress.
  var promisedLength: Int64? { get }
  /// Whether every sample has been played.
  var hasEnded: Bool { get }
  /// What happened to it since the last call, one sentence each.
  func news() -> [String]
}
