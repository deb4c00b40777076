public import Particles

/// A graph file without fault: the only thing a plan can be compiled from.
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
  /// The nodes in an order in which every node follows what it hears, by index into `nodes`.
  public var order: [Int]
  /// How many wires it has, each link of a chain counted.
  public var wires: Int
  /// The files it is made of besides the graph file: emitter files and pictures, not sounds.
  public var files: [String]
  /// The ids of nodes that others are like: what is set in one of them is set in those too.
  var likened: Set<String>
  /// What the file says of itself.
  public var identity = GraphIdentity()
  /// What it needs to run.
  public var requires = GraphRequirements()
  /// Its scenes, in file order.
  public var scenes: [ShowScene] = []
  /// The scene that it starts in; nil: none.
  public var main: String?
  /// The most flashes a second of what goes to lights and of the stage; nil: as many as come.
  public var flashes: Int?
  /// What it may be.
  public static let flashRange = 1.0...30.0
  /// Its cues, in the order of their numbers.
  public var cues: [ShowCue] = []
  /// Whether going to a cue out of order restores the look that the cues before it lead to.
  public var isTracking = true
  /// What is done at times of day, in file order.
  public var alarms: [ShowAlarm] = []
  /// The fixtures that hang in it.
  public var patch = FixturePatch()
  /// What it does when something happens to the show as a whole.
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
}

/// A node without fault.
public struct CheckedNode: Sendable {
  /// The id in the file.
  public var id: String
  /// Its type and its settings.
  public var typed: any TypedSettings
  /// The input ports, in the order of the declaration.
  public var inputs: [CheckedInput]
  /// The output ports, in the order of the declaration.
  public var outputs: [CheckedOutput]

  package init(
    id: String, _ typed: any TypedSettings, inputs: [CheckedInput], outputs: [CheckedOutput]
  ) {
    self.id = id
    self.typed = typed
    self.inputs = inputs
    self.outputs = outputs
  }

  /// Its type.
  public var type: any NodeType.Type { typed.type }

  /// What it has for itself alone, with the setting that says so.
  var claims: [(setting: String, claim: String)] {
    func claims<Node: NodeType>(_ settings: some TypedSettings<Node>) -> [(setting: String, claim: String)] {
      Node.claims(settings.values.all, inputs: inputs)
    }
    return claims(typed)
  }

  /// Its settings, if it is a node of a type; else nil.
  public func settings<Node: NodeType>(of type: Node.Type) -> PerChannel<Node.Settings>? {
    (typed as? NodeSettings<Node>)?.values
  }
}

/// An input port as wired.
public struct CheckedInput: Sendable {
  /// One channel of an output somewhere.
  public struct Source: Hashable, Sendable {
    /// The node, by index into the graph's nodes.
    public var node: Int
    /// Its output port, by index.
    public var output: Int
    /// The channel, by index from 0.
    public var channel: Int

    package init(node: Int, output: Int, channel: Int) {
      self.node = node
      self.output = output
      self.channel = channel
    }
  }

  /// The port's name.
  public var name: String
  /// The type of what arrives; nil when nothing is wired to it.
  public var type: PortType?
  /// The channels, numbered from 1 at this port.
  public var channels: [Channel]
  /// What each channel hears: audio adds up in this order; a level or number has exactly one source.
  public var sources: [[Source]]
  /// The unit of the levels that arrive; nil: none, or several.
  public var unit: LevelUnit?

  package init(
    name: String, type: PortType?, channels: [Channel], sources: [[Source]], unit: LevelUnit? = nil
  ) {
    self.name = name
    self.type = type
    self.channels = channels
    self.sources = sources
    self.unit = unit
  }
}

/// An output port as shaped.
public struct CheckedOutput: Sendable {
  /// The port's name.
  public var name: String
  /// The type of what leaves it.
  public var type: PortType
  /// Its channels.
  public var channels: [Channel]
  /// The unit of its levels; nil: none.
  public var unit: LevelUnit?

  package init(name: String, type: PortType, channels: [Channel], unit: LevelUnit? = nil) {
    self.name = name
    self.type = type
    self.channels = channels
    self.unit = unit
  }
}

/// Frames per second, as a fraction.
public struct FrameRate: Equatable, Sendable {
  /// Frames in `seconds` seconds.
  public var frames: Int
  /// Seconds.
  public var seconds: Int

  /// Makes a rate, such as 30000 in 1001 seconds.
  public init(_ frames: Int, per seconds: Int = 1) {
    self.frames = frames
    self.seconds = seconds
  }

  /// As a number.
  public var perSecond: Double { Double(frames) / Double(seconds) }
}

/// The stage that pictures show, in logical points.
public struct Stage: Sendable {
  /// Points across.
  public var width = 1280
  /// Points down.
  public var height = 720
  /// The color behind everything.
  public var background = Color(red: 0, green: 0, blue: 0)
  /// A picture (PNG) that covers the stage, behind everything; nil: only the color.
  public var picture: GraphFile?
  /// Tone mapping: what more light than a screen can show becomes.
  public var tone = ToneMapping.soft
  /// Where the emitters of a node's channels stand.
  public var arrange = StageArrangement.row
  /// What stays free at each edge when emitters are arranged, in parts of the stage, 0…0.5.
  public var margin = 0.0

  /// A stage of 1280×720, black.
  public init() {}
}

extension ToneMapping: FieldChoice {}
