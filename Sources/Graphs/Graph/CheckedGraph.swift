/// A graph file without faults. Plans are compiled only from it.
public struct CheckedGraph: Sendable {
  /// What the file calls itself, else the file's name without its ending.
  public var name: String
  /// The path of the graph file.
  public var path: String
  /// The JACK client name the file asks for.
  public var client: String?
  /// Frames per second.
  public var fps: FrameRate
  /// The stage.
  public var stage: Stage
  /// The control port, as the file wants it.
  public var control: ControlSettings
  /// The pages, as the file wants them.
  public var view: ViewSettings
  /// The nodes, in file order.
  public var nodes: [CheckedNode]
  /// Indexes into `nodes` in topological order: each node follows its sources.
  public var order: [Int]
  /// How many wires it has, each link of a chain counted.
  public var wires: Int
  /// The files it is made of besides the graph file: emitter files and pictures, not sounds.
  public var files: [String]
  /// The ids of nodes that others are `like`; a setting of one of them changes those others, too.
  var likened: Set<String>
  /// What the file says of itself.
  public var identity = GraphIdentity()
  /// What it needs to run.
  public var requires = GraphRequirements()
  /// Its scenes, in file order.
  public var scenes: [ShowScene] = []
  /// The scene that it starts in; nil: none.
  public var main: String?
  /// The most flashes per second of lights and of the stage; nil: no limit.
  public var flashes: Int?
  /// What it may be.
  public static let flashRange = GraphHeader.flashRange
  /// Its cues, in the order of their numbers.
  public var cues: [ShowCue] = []
  /// Whether going to a cue out of order restores the look that the cues before it lead to.
  public var isTracking = true
  /// The actions at times of day, in file order.
  public var alarms: [ShowAlarm] = []
  /// The fixtures that hang in it.
  public var patch = FixturePatch()
  /// The actions on events of its life cycle.
  public var hooks = ShowHooks()

  /// Puts a graph together; only the checker does.
  package init(
    name: String, path: String, client: String?, fps: FrameRate, stage: Stage, nodes: [CheckedNode],
    order: [Int], wires: Int = 0, files: [String] = [], control: ControlSettings = ControlSettings(),
    view: ViewSettings = ViewSettings(),
    likened: Set<String> = []
  ) {
    self.likened = likened
    self.name = name
    self.path = path
    self.client = client
    self.fps = fps
    self.stage = stage
    self.nodes = nodes
    self.order = order
    self.wires = wires
    self.files = files
    self.control = control
    self.view = view
  }
}

extension CheckedGraph {
  /// A graph of nothing, for as long as there is none.
  package static let nothing = CheckedGraph(
    name: "", path: "", client: nil, fps: FrameRate(60), stage: Stage(), nodes: [], order: [])

  /// Takes what the head says for itself, without a look at the nodes.
  mutating func take(_ header: GraphHeader) {
    (identity, requires, main, hooks) = (header.identity, header.requires, header.main, header.hooks)
    (flashes, isTracking) = (header.flashes, header.tracking)
  }

  /// The folder of the graph file, without a slash at its end; files are named relative to it.
  public var folder: String { SourceText.folder(of: path) }
}
