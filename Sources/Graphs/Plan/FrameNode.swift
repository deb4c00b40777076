/// The half of a node that runs on the frame thread, once per frame, after everything it hears. [frame]
public protocol FrameNode: AnyObject {
  /// Reads levels and the record, writes its own levels.
  func run(_ frame: Frame)
  /// The master or the blackout was moved between frames: what goes out follows at once. `now` is of the monotonic clock, in
  /// nanoseconds.
  func dim(at now: UInt64)
  /// No frame has come yet, and so much time has passed, in seconds: what is to be dark until then is told so.
  func rest(for seconds: Double)
  /// The plan is left for good: lights go out, if they shall, but for what the next plan has kept or
  /// shares.
  func end(at seconds: Double, kept: Set<ObjectIdentifier>)
  /// Lines for the screen and the log: what it sends where. [any]
  var report: [NodeReport] { get }
}

extension FrameNode {
  /// Nothing that could be dimmed goes out.
  public func dim(at now: UInt64) {}
  /// Nothing to keep dark.
  public func rest(for seconds: Double) {}
  /// Nothing to put out.
  public func end(at seconds: Double, kept: Set<ObjectIdentifier>) {}
  /// Nothing to tell.
  public var report: [NodeReport] { [] }
}

/// What a node tells of itself: one target, one line.
public struct NodeReport: Sendable, Equatable {
  /// The node's id.
  public var id: String
  /// Where to.
  public var target: String
  /// In what state, in a word or a sentence.
  public var state: String
  /// Whether all is well.
  public var isWell: Bool
  /// Messages sent so far.
  public var sent: UInt64
  /// Changes that the rate held back for a while.
  public var held: UInt64
  /// Packets that did not get through.
  public var failed: UInt64
  /// One address and its value, as an example.
  public var sample: String

  /// Makes a line.
  public init(
    id: String, target: String, state: String, isWell: Bool, sent: UInt64, held: UInt64, failed: UInt64,
    sample: String
  ) {
    self.id = id
    self.target = target
    self.state = state
    self.isWell = isWell
    self.sent = sent
    self.held = held
    self.failed = failed
    self.sample = sample
  }
}
