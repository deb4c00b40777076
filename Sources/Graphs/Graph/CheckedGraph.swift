/// A graph file without faults. Plans are compiled only from it.
///
/// Its members are `nodes` and, by dynamic lookup, those of `CheckedRest`.
@dynamicMemberLookup
public struct CheckedGraph: Sendable {
  /// The nodes, in file order.
  public var nodes: [CheckedNode]
  /// The members that a change of a setting does not touch. Each change makes several copies of the graph; sharing
  /// these members costs each copy one reference count.
  @usableFromInline var shared: Shared
  /// The allowed limits of flashes per second.
  public static let flashRange = GraphHeader.flashRange

  /// A record that copies of a graph share; a graph that changes a member gets a new record.
  @usableFromInline final class Shared: Sendable {
    @usableFromInline let rest: CheckedRest

    @usableFromInline init(_ rest: CheckedRest) { self.rest = rest }
  }

  /// A member of the record beside the nodes.
  @inlinable
  public subscript<Value>(dynamicMember member: WritableKeyPath<CheckedRest, Value>) -> Value {
    get { shared.rest[keyPath: member] }
    set {
      var rest = shared.rest
      rest[keyPath: member] = newValue
      shared = Shared(rest)
    }
  }

  /// A member that follows from others.
  @inlinable
  public subscript<Value>(dynamicMember member: KeyPath<CheckedRest, Value>) -> Value {
    shared.rest[keyPath: member]
  }

  /// Makes a graph. Only the checker calls this.
  package init(
    name: String, path: String, client: String?, fps: FrameRate, stage: Stage, nodes: [CheckedNode],
    order: [Int], wires: Int = 0, files: [String] = [], control: ControlSettings = ControlSettings(),
    view: ViewSettings = ViewSettings(),
    likened: Set<String> = []
  ) {
    self.nodes = nodes
    shared = Shared(
      CheckedRest(
        name: name, path: path, client: client, fps: fps, stage: stage, control: control, view: view,
        order: order, wires: wires, files: files, likened: likened))
  }
}

/// The members of a checked graph except its nodes: the rest of the file, and results of the check.
public struct CheckedRest: Sendable {
  /// The name that the file states; without one, the name of the file without its extension.
  public var name: String
  /// The path of the graph file.
  public var path: String { didSet { folder = SourceText.folder(of: path) } }
  /// The folder of the graph file, without a slash at its end; files are named relative to it.
  public private(set) var folder: String
  /// The name of the JACK client that the file states; nil: none.
  public var client: String?
  /// Frames per second.
  public var fps: FrameRate
  /// The stage.
  public var stage: Stage
  /// The settings of the control port in the file.
  public var control: ControlSettings
  /// The settings of the pages in the file.
  public var view: ViewSettings
  /// Indexes into `nodes` in topological order: each node follows its sources.
  public var order: [Int]
  /// The number of wires; each link of a chain counts.
  public var wires: Int
  /// The paths of the other files that the graph names: files of settings and pictures, but no sounds.
  public var files: [String]
  /// The ids of nodes that others are `like`; a setting of one of them changes those others, too.
  var likened: Set<String>
  /// The metadata of the graph.
  public var identity = GraphIdentity()
  /// The requirements of the graph.
  public var requires = GraphRequirements()
  /// Its scenes, in file order.
  public var scenes: [ShowScene] = []
  /// By the names of scenes, the settings as the checker has read them: of nodes that scenes set and of nodes that are
  /// like those, by id.
  package var typedScenes: [String: [String: any TypedSettings]] = [:]
  /// The scene that it starts in; nil: none.
  public var main: String?
  /// The most flashes per second of lights and of the stage; nil: no limit.
  public var flashes: Int?
  /// Its cues, in the order of their numbers.
  public var cues: [ShowCue] = []
  /// Whether going to a cue out of order restores the look that the cues before it lead to.
  public var isTracking = true
  /// The actions at times of day, in file order.
  public var alarms: [ShowAlarm] = []
  /// The patched fixtures.
  public var patch = FixturePatch()
  /// The actions on events of its life cycle.
  public var hooks = ShowHooks()

  init(
    name: String, path: String, client: String?, fps: FrameRate, stage: Stage, control: ControlSettings,
    view: ViewSettings, order: [Int], wires: Int, files: [String], likened: Set<String>
  ) {
    self.likened = likened
    self.name = name
    self.path = path
    folder = SourceText.folder(of: path)
    self.client = client
    self.fps = fps
    self.stage = stage
    self.order = order
    self.wires = wires
    self.files = files
    self.control = control
    self.view = view
  }
}

extension CheckedGraph {
  /// An empty graph, in place of one that is not there yet.
  package static let nothing = CheckedGraph(
    name: "", path: "", client: nil, fps: FrameRate(60), stage: Stage(), nodes: [], order: [])

  /// Takes the settings of the head that are valid without a look at the nodes.
  mutating func take(_ header: GraphHeader) {
    (self.identity, self.requires, self.main, self.hooks) = (
      header.identity, header.requires, header.main, header.hooks
    )
    (self.flashes, self.isTracking) = (header.flashes, header.tracking)
  }
}
