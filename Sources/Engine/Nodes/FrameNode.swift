/// Where packets wait for each other, to leave together. Used by one thread at a time. [frame]
public protocol WaitingPackets: AnyObject {
  /// Sends all that wait, in their order. Never blocks.
  func send()
  /// What waits is given up, and all that follows goes by itself: another thread puts the lights out, while the one that sends
  /// may stand anywhere. [any]
  func stopWaiting()
}

/// What leaves by a node, in the order in which it does.
public enum SentKind: Sendable {
  /// Levels for lamps.
  case light
  /// Messages for other programs.
  case message
}

/// The half of a node that runs on the frame thread, once per frame, after everything it hears. [frame]
public protocol FrameNode: AnyObject {
  /// Reads levels and the record, writes its own levels.
  func run(_ frame: Frame)
  /// The master or the blackout was moved between frames: what goes out follows at once. `now` is of the monotonic clock, in
  /// nanoseconds.
  func dim(at now: UInt64)
  /// No frame has come yet, and so much time has passed, in seconds: what is to be dark until then is sent so.
  func rest(for seconds: Double)
  /// Where packets of `run`, `dim` and `rest` wait, so that those of nodes beside each other leave together, after the last
  /// of these; always the same. [control]
  var queues: [any WaitingPackets] { get }
  /// What it sends in a frame; nil: nothing.
  var sends: SentKind? { get }
  /// The plan is left for good: lights go out, if they should, but for what the next plan has kept or
  /// shares.
  func end(at seconds: Double, kept: Set<ObjectIdentifier>)
  /// Waits until what `end` has handed over has gone, for so many seconds at most.
  func flush(within seconds: Double)
  /// Lines for the screen and the log: what it sends where. [any]
  var report: [NodeReport] { get }
  /// The universes that it sends. [any]
  var universes: [UniverseGlance] { get }
}

extension FrameNode {
  /// Nothing that could be dimmed goes out.
  public func dim(at now: UInt64) {}
  /// Nothing to keep dark.
  public func rest(for seconds: Double) {}
  /// None: what goes out goes at once.
  public var queues: [any WaitingPackets] { [] }
  /// Nothing.
  public var sends: SentKind? { nil }
  /// It has gone.
  public func flush(within seconds: Double) {}
  /// Nothing to put out.
  public func end(at seconds: Double, kept: Set<ObjectIdentifier>) {}
  /// Nothing to report.
  public var report: [NodeReport] { [] }

  /// None, unless a node sends some.
  public var universes: [UniverseGlance] { [] }
}

/// What a node reports of itself: one target, one line.
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

/// The half of a node that lets pictures move: after the lights of a frame, so that no light ever waits for it. [scene]
///
/// Live it runs on a thread of its own and may fall behind; offline it runs within the frame. What a frame has for it
/// the node's frame half leaves behind, to be taken in order.
public protocol SceneNode: AnyObject, Sendable {
  /// Goes on by all frames that its frame half has left for it since.
  func advance()
  /// Shows what has moved, after all that moves in the graph, in the order of the signal.
  func show()
  /// It is left for good, while it may be on its way: what takes long may be cut short. [any]
  func end()
  /// Whether it moves things of its own, and does not only show those of others.
  var moves: Bool { get }
  /// What all nodes that move something have room for is shared by so many. [control]
  func share(among count: Int)
  /// What happened to it since the last call, one sentence each. [control]
  func takeMessages() -> [String]
}

extension SceneNode {
  /// Most take no longer than a frame.
  public func end() {}

  /// Most show nothing.
  public func show() {}

  /// Most do.
  public var moves: Bool { true }

  /// Most have room for all that they are given.
  public func share(among count: Int) {}
}

/// What a running node can be asked from outside: by a message, by a key. Its type says what that is. [any]
public protocol NodeControl: AnyObject, Sendable {
  /// What happened to the node since the last call, one sentence each. [control]
  func takeMessages() -> [String]
}

/// A source whose samples are streamed (prefetched) to the callback from elsewhere, such as a file from a disk. [any]
public protocol StreamedSource: AnyObject, Sendable {
  /// The node it is for.
  var id: String { get }
  /// Where the samples come from: the path of a file.
  var path: String { get }
  /// Samples played so far, at the host's rate.
  var position: Int64 { get }
  /// What went wrong with it last; nil if nothing did.
  var fault: String? { get }
  /// Whether it has broken off before its first sample: nothing of it can be heard.
  var gaveNothing: Bool { get }
  /// Has everything ready for the first cycle; returns when it is so.
  func prime()
  /// Tops up on the caller's thread, for hosts that are not real time: afterwards `count` samples are there, or the end is
  /// known. In freewheel [audio] calls it, too.
  func fill(_ count: Int)
  /// How many samples it plays in all; nil as long as that is not known for certain, and for ever if it has no end.
  var length: Int64? { get }
  /// How many samples the file itself promises, at the host's rate; for progress.
  var promisedLength: Int64? { get }
  /// Whether every sample has been played.
  var hasEnded: Bool { get }
  /// What happened to it since the last call, one sentence each.
  func takeMessages() -> [String]
}
