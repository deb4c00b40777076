/// A queue of packets that are sent together. Used by one thread at a time. [frame]
public protocol WaitingPackets: AnyObject {
  /// Sends all waiting packets in their order. Never blocks.
  func send()
  /// Drops waiting packets, and sends later ones singly. Another thread calls it to put out the lights after the
  /// sending thread has crashed at any point. [any]
  func stopWaiting()
}

/// The kind of packets that a node sends; lights are sent before messages.
public enum SentKind: Sendable {
  /// Levels of lamps.
  case light
  /// Messages to other programs.
  case message
}

/// The half of a node that runs on the frame thread, once per frame, after the nodes that it reads. [frame]
public protocol FrameNode: AnyObject {
  /// Reads levels and the record, and writes the node's own levels.
  func run(_ frame: Frame)
  /// Sends the values of the newest frame again, because the master or the blackout has moved between frames. `now` is
  /// in nanoseconds of the monotonic clock.
  func dim(at now: UInt64)
  /// Sends the dark values of the time before the first frame; `seconds` more have passed.
  func rest(for seconds: Double)
  /// The queues for packets of `run`, `dim` and `rest`, which are sent together with those of adjacent outputs, after
  /// the last of them. It never changes. [control]
  var queues: [any WaitingPackets] { get }
  /// The kind of its packets; nil: it sends none.
  var sends: SentKind? { get }
  /// Ends the plan for good: puts out its lights, except those that the next plan has kept or shares.
  func end(at seconds: Double, kept: Set<ObjectIdentifier>)
  /// Waits until the packets of `end` have been handed to the devices, for at most `seconds`.
  func flush(within seconds: Double)
  /// One line per target for the screen and the log. [any]
  var report: [NodeReport] { get }
  /// The universes that it sends. [any]
  var universes: [UniverseGlance] { get }
}

extension FrameNode {
  /// Does nothing: the node sends nothing that could be dimmed.
  public func dim(at now: UInt64) {}
  /// Does nothing: the node sends no lights.
  public func rest(for seconds: Double) {}
  /// None: packets are sent at once.
  public var queues: [any WaitingPackets] { [] }
  /// Nil: it sends nothing.
  public var sends: SentKind? { nil }
  /// Does nothing: nothing waits.
  public func flush(within seconds: Double) {}
  /// Does nothing: the node has no lights.
  public func end(at seconds: Double, kept: Set<ObjectIdentifier>) {}
  /// None.
  public var report: [NodeReport] { [] }

  /// None.
  public var universes: [UniverseGlance] { [] }
}

/// A node's report of one target: one line.
public struct NodeReport: Sendable, Equatable {
  /// The node's id.
  public var id: String
  /// The target.
  public var target: String
  /// The target's state, as a word or a sentence.
  public var state: String
  /// Whether there is no fault.
  public var isWell: Bool
  /// Messages sent.
  public var sent: UInt64
  /// Changes that the rate held back.
  public var held: UInt64
  /// Packets that could not be sent.
  public var failed: UInt64
  /// One address with its value, as an example.
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

/// The part of a node that moves pictures. It runs after the lights of a frame, so that no light waits for it.
/// [scene]
///
/// Live it runs on a thread of its own and may fall behind; offline it runs within the frame. The node's frame half
/// queues the steps of each frame.
public protocol SceneNode: AnyObject, Sendable {
  /// Advances by all frames that the frame half has queued.
  func advance()
  /// Shows the result of the steps. Called after all nodes have advanced, in the order of the signal.
  func show()
  /// Ends it for good, possibly during a step; long work may be cut short. [any]
  func end()
  /// Whether it moves particles of its own, rather than only showing those of others.
  var moves: Bool { get }
  /// Divides the capacity of all moving nodes by `count`, their number. [control]
  func share(among count: Int)
  /// Messages since the last call, one sentence each. [control]
  func takeMessages() -> [String]
}

extension SceneNode {
  /// Does nothing.
  public func end() {}

  /// Does nothing.
  public func show() {}

  /// True.
  public var moves: Bool { true }

  /// Does nothing: the node has no shared capacity.
  public func share(among count: Int) {}
}

/// The part of a running node that messages and keys control. Each node type adds methods of its own. [any]
public protocol NodeControl: AnyObject, Sendable {
  /// Messages since the last call, one sentence each. [control]
  func takeMessages() -> [String]
}

/// A source whose samples are prefetched for the callback, such as a file on a disk. [any]
public protocol StreamedSource: AnyObject, Sendable {
  /// The id of its node.
  var id: String { get }
  /// The path of the file.
  var path: String { get }
  /// Samples played so far, at the host's rate.
  var position: Int64 { get }
  /// The last fault; nil: none.
  var fault: String? { get }
  /// Whether it failed before its first sample, so that nothing of it is heard.
  var gaveNothing: Bool { get }
  /// Prefetches all that the first cycle needs, and returns when it is ready.
  func prime()
  /// Decodes on the caller's thread, for hosts that are not in real time. Afterwards `count` samples are ready, or
  /// the end is known. [audio] calls it in freewheel.
  func fill(_ count: Int)
  /// The number of samples until its end; nil while that is not certain, and always for a source without an end.
  var length: Int64? { get }
  /// The number of samples by the file's header, at the host's rate; for progress.
  var promisedLength: Int64? { get }
  /// Whether every sample has been played.
  var hasEnded: Bool { get }
  /// Messages since the last call, one sentence each.
  func takeMessages() -> [String]
}
