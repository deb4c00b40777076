public import Graphs

/// A node type that runs: what a plan is made of. [control]
public protocol RunnableNode: NodeType {
  /// What is done when all that moves in pictures has gone on by a frame; nil: nothing. Asked once for a graph that has such
  /// nodes; `before` is what did so in the plan before.
  static func sceneEnd(
    _ scene: [any SceneNode], _ graph: CheckedGraph, before: (any SceneNode)?
  ) -> (any SceneNode)?
  /// The parts that run: in the audio callback, on the frame thread, as far as it has them. Throws what it cannot run
  /// without, such as a file that is gone.
  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts
}

extension RunnableNode {
  /// Nothing.
  public static func sceneEnd(
    _ scene: [any SceneNode], _ graph: CheckedGraph, before: (any SceneNode)?
  ) -> (any SceneNode)? { nil }
}

/// The settings of a node that runs.
protocol RunnableSettings: TypedSettings where Node: RunnableNode {}

extension NodeSettings: RunnableSettings where Node: RunnableNode {}

/// The context in which a node type makes its running parts. [control]
public struct NodeContext<Settings: Sendable> {
  /// The node's id.
  public let id: String
  /// Its settings.
  public let settings: PerChannel<Settings>
  /// Its input ports as wired.
  public let inputs: [CheckedInput]
  /// Its output ports as shaped.
  public let outputs: [CheckedOutput]
  /// What the plan is made for.
  public let configuration: StreamConfiguration
  /// Frames per second.
  public let fps: FrameRate
  /// The stage.
  public let stage: Stage
  /// The most flashes a second; nil: as many as come.
  public let flashes: Int?
  /// The folder of the graph file.
  public let folder: String
  /// What tells the graph from others: its `id`, else the path of its file.
  public let identity: String
  /// Input ports by channel: the number of the level that is heard; -1 on ports of audio and events.
  public let levelInputs: [[Int]]
  /// Output ports by channel: the number of the level that is written; -1 on ports of audio and events.
  public let levelOutputs: [[Int]]
  /// The event outputs each input port hears, by number, and the ids of their nodes.
  public let eventInputs: [[Int: String]]
  /// Of these outputs the channels that each input port hears, from 0.
  public let eventChannels: [[Int: Set<Int>]]
  /// Which of its own channels an event reaches, by input port.
  public let eventPlaces: [EventPlaces]
  /// The names of their channels; nil for one without.
  public let eventNames: [[Int: [String?]]]
  /// The number of each output port as an event output; -1 on others.
  public let eventOutputs: [Int]
  /// Whether a wire leaves it.
  public let isHeard: Bool
  /// The ids of the nodes at the other end of an input port, by channel.
  public let upstream: (_ port: Int) -> [String]
  /// What moves in pictures in the plan; filled once all nodes are made.
  public let pictures: PlanPictures
  /// The levels that arrive at its first input port in a scene of the graph where nothing plays; none where there is no such
  /// scene. What no scene sets is as it was when the plan was made.
  public let look: (_ scene: String) -> [Float]
  let numbers: SlotAllocator
  let reuse: StateReuse
  let shared: SharedObjects

  /// Claims places in the record of a frame; gives the first.
  public func claimValues(_ count: Int) -> Int { numbers.claimValues(count) }
  /// Claims source numbers; gives the first.
  public func claimSources(_ count: Int) -> Int { numbers.claimSources(count) }
  /// Claims memory for samples; gives how many bytes the nodes of the graph have claimed so far, these among them.
  public func claimBytes(_ count: Int) -> Int { numbers.claimBytes(count) }
  /// What the node has kept from the plan before, else what `make` makes; asked for in the same order every time.
  /// What does not fit any more, as `isFit` says, is made anew.
  public func keep<T: AnyObject>(
    if isFit: (T) -> Bool = { _ in true }, _ make: () throws -> T
  ) rethrows -> T { try reuse.next(isFit) { _ in try make() } }
  /// The same, where what the node had at another sample rate is handed over to what `make` makes.
  public func keep<T: AnyObject>(following make: (_ former: T?) throws -> T) rethrows -> T {
    try reuse.next({ _ in true }, make)
  }
  /// What stands under a name for all nodes, kept from plan to plan as long as a plan asks for it, whatever their
  /// settings; else what `make` makes.
  public func share<T: AnyObject>(_ name: String, _ make: () throws -> T) rethrows -> T {
    try shared.thing(name, make)
  }
}

/// Which channels of an input port the events reach that are wired to it. [frame]
public struct EventPlaces: Sendable {
  /// By number of the event output and channel there, both from 0.
  private let places: [Int: [Int: [Int]]]

  init(_ places: [Int: [Int: [Int]]]) { self.places = places }

  /// The channels of the port that an event reaches, from 0; none where it is not wired to it.
  public func channels(of event: Event) -> [Int] { places[event.output]?[event.channel] ?? [] }
}

/// The running parts of a node.
public struct NodeParts {
  /// Runs in the audio callback.
  public var block: BlockPart?
  /// Runs on the frame thread.
  public var frame: (any FrameNode)?
  /// What delivers samples to it.
  public var stream: (any StreamedSource)?
  /// Lets its pictures move.
  public var scene: (any SceneNode)?
  /// What it can be asked while it runs.
  public var control: (any NodeControl)?

  /// Puts parts together.
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

/// Places in the record, claimed by nodes while a plan is made.
final class SlotAllocator {
  private(set) var values: Int
  private(set) var sources: Int
  private(set) var bytes: Int

  /// Goes on from the numbers that are claimed already.
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

/// What nodes share, by name, and keep from plan to plan.
final class SharedObjects {
  private let before: [String: AnyObject]
  private(set) var all: [String: AnyObject] = [:]

  init(before: [String: AnyObject]) { self.before = before }

  func thing<T: AnyObject>(_ name: String, _ make: () throws -> T) rethrows -> T {
    if let known = (all[name] ?? before[name]) as? T {
      all[name] = known
      return known
    }
    let new = try make()
    all[name] = new
    return new
  }
}

/// State that a node reuses from plan to plan, in the order it asks for it.
final class StateReuse {
  private let before: [AnyObject]
  /// What it had at another rate.
  private let former: [AnyObject]
  private(set) var kept: [AnyObject] = []

  init(before: [AnyObject], former: [AnyObject]) {
    self.before = before
    self.former = former
  }

  func next<T: AnyObject>(_ isFit: (T) -> Bool, _ make: (_ former: T?) throws -> T) rethrows -> T {
    let place = kept.count
    let thing: T
    if place < before.count, let old = before[place] as? T, isFit(old) {
      thing = old
    } else {
      thing = try make(place < former.count ? former[place] as? T : nil)
    }
    kept.append(thing)
    return thing
  }
}
