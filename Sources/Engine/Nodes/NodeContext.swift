public import Graphs

/// A node type whose nodes run in plans. [control]
public protocol RunnableNode: NodeType {
  /// Makes the part that runs in each frame after all nodes that move in pictures; nil: none. Called once for a graph
  /// with such nodes. `before` is the same part of the plan before.
  static func sceneEnd(
    _ scene: [any SceneNode], _ graph: CheckedGraph, before: (any SceneNode)?
  ) -> (any SceneNode)?
  /// Makes the running parts of a node. Throws where the node cannot run, such as where a file has vanished.
  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts
}

extension RunnableNode {
  /// Nil.
  public static func sceneEnd(
    _ scene: [any SceneNode], _ graph: CheckedGraph, before: (any SceneNode)?
  ) -> (any SceneNode)? { nil }
}

/// The settings of a node type that runs.
protocol RunnableSettings: TypedSettings where Node: RunnableNode {}

extension NodeSettings: RunnableSettings where Node: RunnableNode {}

/// The context in which a node type makes its running parts. [control]
public struct NodeContext<Settings: Sendable> {
  /// The node's id.
  public let id: String
  /// Its settings.
  public let settings: PerChannel<Settings>
  /// Its input ports with their wires.
  public let inputs: [CheckedInput]
  /// Its output ports with their channels.
  public let outputs: [CheckedOutput]
  /// The configuration of the plan.
  public let configuration: StreamConfiguration
  /// Frames per second.
  public let fps: FrameRate
  /// The stage.
  public let stage: Stage
  /// The maximum number of flashes per second; nil: no limit.
  public let flashes: Int?
  /// The folder of the graph file.
  public let folder: String
  /// Identifies the graph: its `id`, else the path of its file.
  public let identity: String
  /// By input port and channel: the number of the level that arrives; -1 on ports of audio and events.
  public let levelInputs: [[Int]]
  /// By output port and channel: the number of the level to write; -1 on ports of audio and events.
  public let levelOutputs: [[Int]]
  /// By input port: the numbers of the event outputs wired to it, and the ids of their nodes.
  public let eventInputs: [[Int: String]]
  /// By input port: of each of these outputs, the channels that are wired, from 0.
  public let eventChannels: [[Int: Set<Int>]]
  /// By input port: which of its channels an event reaches.
  public let eventPlaces: [EventPlaces]
  /// By input port: the names of the channels of each of these outputs; nil: no name.
  public let eventNames: [[Int: [String?]]]
  /// By output port: its number as an event output; -1 on others.
  public let eventOutputs: [Int]
  /// Whether one of its outputs is wired.
  public let isHeard: Bool
  /// The ids of the nodes wired to an input port, by channel.
  public let upstream: (_ port: Int) -> [String]
  /// The nodes that move in pictures; filled once all nodes are made.
  public let pictures: PlanPictures
  /// The levels at the first input port in a scene of the graph in silence; empty where there is no such scene.
  /// Settings that the scene does not set are as they were when the plan was made; where only the checker can decide
  /// the scene, those of its nodes are as they were when the graph was read.
  public let look: (_ scene: String) -> [Float]
  let numbers: SlotAllocator
  let reuse: StateReuse
  let shared: SharedObjects

  /// Claims values in records; returns the number of the first.
  public func claimValues(_ count: Int) -> Int { numbers.claimValues(count) }
  /// Claims sources; returns the number of the first.
  public func claimSources(_ count: Int) -> Int { numbers.claimSources(count) }
  /// Claims memory for samples, in bytes; returns what the nodes of the graph have claimed so far, this included.
  public func claimBytes(_ count: Int) -> Int { numbers.claimBytes(count) }
  /// An object that the node has kept from the plan before, else the result of `make`. A kept object for which
  /// `isFit` returns false is made anew. Call it in the same order in every plan.
  public func keep<T: AnyObject>(
    if isFit: (T) -> Bool = { _ in true }, _ make: () throws -> T
  ) rethrows -> T { try reuse.next(isFit) { _ in try make() } }
  /// Keeps an object in the same way; `make` gets the object that the node had at another sample rate.
  public func keep<T: AnyObject>(following make: (_ former: T?) throws -> T) rethrows -> T {
    try reuse.next({ _ in true }, make)
  }
  /// The object that all nodes share under a name, else the result of `make`. It is kept while each plan asks for it,
  /// whatever the nodes' settings are.
  public func share<T: AnyObject>(_ name: String, _ make: () throws -> T) rethrows -> T {
    try shared.object(name, make)
  }
}

/// The channels of an input port that the events wired to it reach. [frame]
public struct EventPlaces: Sendable {
  /// By the number of an event output and by its channel, both from 0: channels of the port.
  private let places: [Int: [Int: [Int]]]

  init(_ places: [Int: [Int: [Int]]]) { self.places = places }

  /// The channels of the port that an event reaches, from 0; empty where it is not wired to the port.
  public func channels(of event: Event) -> [Int] { places[event.output]?[event.channel] ?? [] }
}

/// The running parts of a node.
public struct NodeParts {
  /// Runs in the audio callback.
  public var block: BlockPart?
  /// Runs on the frame thread.
  public var frame: (any FrameNode)?
  /// Streams samples to the block.
  public var stream: (any StreamedSource)?
  /// Moves its pictures.
  public var scene: (any SceneNode)?
  /// Takes commands of messages and keys.
  public var control: (any NodeControl)?

  /// Makes a set of parts.
  public init(
    block: BlockPart? = nil, frame: (any FrameNode)? = nil, stream: (any StreamedSource)? = nil,
    scene: (any SceneNode)? = nil, control: (any NodeControl)? = nil
  ) {
    self.block = block
    self.frame = frame
    self.stream = stream
    self.scene = scene
    self.control = control
  }
}

/// Assigns numbers in records, which nodes claim while a plan is made.
final class SlotAllocator {
  /// Values claimed in a record.
  private(set) var values: Int
  /// Sources claimed in a record.
  private(set) var sources: Int
  /// Bytes of memory claimed for samples.
  private(set) var bytes: Int

  /// Continues after the numbers that are claimed already.
  init(values: Int = 0, sources: Int = 0, bytes: Int = 0) {
    (self.values, self.sources, self.bytes) = (values, sources, bytes)
  }

  func claimValues(_ count: Int) -> Int {
    defer { values += count }
    return values
  }
  func claimSources(_ count: Int) -> Int {
    defer { sources += count }
    return sources
  }
  func claimBytes(_ count: Int) -> Int {
    bytes += count
    return bytes
  }
}

/// Objects that nodes share by name, kept from plan to plan.
final class SharedObjects {
  private let before: [String: AnyObject]
  private(set) var all: [String: AnyObject] = [:]

  init(before: [String: AnyObject]) { self.before = before }

  func object<T: AnyObject>(_ name: String, _ make: () throws -> T) rethrows -> T {
    if let existing = (all[name] ?? before[name]) as? T {
      all[name] = existing
      return existing
    }
    let new = try make()
    all[name] = new
    return new
  }
}

/// The state that a node keeps from plan to plan, in the order in which the node asks for it.
final class StateReuse {
  private let before: [AnyObject]
  /// The state that it had at another sample rate.
  private let former: [AnyObject]
  private(set) var kept: [AnyObject] = []

  init(before: [AnyObject], former: [AnyObject]) {
    self.before = before
    self.former = former
  }

  func next<T: AnyObject>(_ isFit: (T) -> Bool, _ make: (_ former: T?) throws -> T) rethrows -> T {
    let index = kept.count
    let object: T
    if index < before.count, let old = before[index] as? T, isFit(old) {
      object = old
    } else {
      object = try make(index < former.count ? former[index] as? T : nil)
    }
    kept.append(object)
    return object
  }
}
