/// How much is taken from folders and lists: far more than anybody has, far less than hurts.
public struct ListLimits: Equatable, Sendable {
  /// Tracks in all.
  public var tracks = 100_000
  /// Entries of folders that are looked at in all, whatever they are.
  public var entries = 1_000_000
  /// Folders that lie inside each other.
  public var depth = 32
  /// Lists that name each other.
  public var nesting = 8
  /// Bytes of one list.
  public var bytes = 16 << 20
  /// Bytes of one line, or of one text of an XSPF list.
  public var text = 8192
  /// Faults that are kept; the last then says how many there were besides.
  public var faults = 1000

  /// The usual ones.
  public init() {}
}
