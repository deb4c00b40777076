/// A type of node, declared once: its name, ports, settings and shape. What runs it is `RunnableNode` of the engine.
public protocol NodeType: Sendable {
  /// Its settings; their initial values are the defaults.
  associatedtype Settings: FieldRecord

  /// The name in graph files (`type: meter`); it never changes once released.
  static var name: String { get }
  /// Older names that are understood as well.
  static var aliases: [String] { get }
  /// What it does, in one sentence, then more.
  static var help: String { get }
  /// A few lines of a graph file that show it, without the key `nodes:`; nil where the help says it all.
  static var example: String? { get }
  /// The file that settings can be read from; nil: they stand in the graph alone.
  static var settingsFile: SettingsFile? { get }
  /// By how much its results lie behind what they are made from, in words; nil: they belong to the frame that has just
  /// ended.
  static var delay: String? { get }
  /// What it is to those who show or serve a graph; nil: nothing but a node.
  static var role: NodeRole? { get }
  /// The setting that turns it off in a scene, its value, and what that means in half a sentence; nil: it cannot be off.
  static var off: (setting: String, value: String, help: String)? { get }
  /// The scene of the graph that a setting of it names, to be looked up; nil: none does.
  static func scenes(_ settings: Settings) -> (setting: String, choice: SceneChoice)?
  /// The keys of the terminal that its settings take, each a character.
  static func keys(_ settings: Settings) -> [String]
  /// What the node has for itself alone, in words, and the setting that says so: two nodes that claim the same are a fault.
  static func claims(_ settings: Settings, inputs: [CheckedInput]) -> [(setting: String, claim: String)]
  /// The ports wires lead to; the first decides the width.
  static func inputs(_ settings: Settings) -> [InputPort]
  /// The ports wires start from; the first is meant where a wire names none.
  static func outputs(_ settings: Settings) -> [OutputPort]
  /// The channels of every output, known while the file is checked. Faults go to `shaping.report`. [control]
  static func shape(_ shaping: Shaping<Settings>) -> [[Channel]]
  /// Which input channels each channel of an output is made from; nil: from the same number of the first input.
  static func makes(output: Int, channel: Int, shaping: Shaping<Settings>) -> [Int]?
}

extension NodeType {
  /// None, unless a type has some.
  public static var aliases: [String] { [] }
  /// None.
  public static var example: String? { nil }
  /// The graph alone.
  public static var settingsFile: SettingsFile? { nil }
  /// The frame that has just ended.
  public static var delay: String? { nil }
  /// Nothing but a node.
  public static var role: NodeRole? { nil }
  /// It cannot be off.
  public static var off: (setting: String, value: String, help: String)? { nil }
  /// None.
  public static func scenes(_ settings: Settings) -> (setting: String, choice: SceneChoice)? { nil }
  /// None.
  public static func keys(_ settings: Settings) -> [String] { [] }
  /// Nothing.
  public static func claims(_ settings: Settings, inputs: [CheckedInput]) -> [(
    setting: String, claim: String
  )] {
    []
  }
  /// Every output has the channels of the first input.
  public static func shape(_ shaping: Shaping<Settings>) -> [[Channel]] {
    let first = shaping.inputs.first?.channels ?? []
    return outputs(shaping.settings.all).map { _ in first }
  }
  /// From the same number of the first input.
  public static func makes(output: Int, channel: Int, shaping: Shaping<Settings>) -> [Int]? { nil }
}

/// What a node is to those who show or serve a graph, whatever its type is called.
public enum NodeRole: Sendable {
  /// Its sound comes from the host's ports.
  case hostInput
  /// Its sound goes to the host's ports.
  case hostOutput
  /// It measures its first input: levels leave by its first output, peaks by the output `peak`.
  case meter
  /// It lets levels pass, or not.
  case gate
  /// It plays sounds when it is asked to.
  case sampler
  /// It sends the levels of its first input to other programs.
  case sender
  /// Its levels are the points of a picture, too many to be read one by one.
  case picture
}

/// The settings of a node: those for all channels, and those of single channels.
public struct PerChannel<Settings: Sendable>: Sendable {
  /// What holds where a channel has nothing of its own.
  public var all: Settings
  /// Whole settings by channel index (from 0) where `each:` names the channel.
  public var each: [Int: Settings]

  /// Makes settings.
  public init(all: Settings, each: [Int: Settings] = [:]) {
    self.all = all
    self.each = each
  }

  /// The settings of a channel, by index from 0.
  public subscript(channel: Int) -> Settings { each[channel] ?? all }

  /// What is made of the settings of so many channels, in their order; made once for all that have none of their own.
  @inlinable public func map<Made>(_ count: Int, _ make: (Settings) -> Made) -> [Made] {
    var made = [Made](repeating: make(all), count: count)
    for (channel, settings) in each where channel < count { made[channel] = make(settings) }
    return made
  }
}

/// A node's type with its settings: kept together, so that nobody has to guess what the settings are.
public protocol TypedSettings<Node>: Sendable {
  /// The type of the node.
  associatedtype Node: NodeType
  /// The settings, for all channels and single ones.
  var values: PerChannel<Node.Settings> { get }
  /// Which settings single channels state for themselves, by channel from 0.
  var stated: [Int: Set<String>] { get }
  /// The same node type with other settings.
  func with(_ values: PerChannel<Node.Settings>, stated: [Int: Set<String>]) -> Self
}

extension TypedSettings {
  /// The type of the node.
  public var type: any NodeType.Type { Node.self }
}

/// The settings of a node of one type.
public struct NodeSettings<Node: NodeType>: TypedSettings {
  /// The settings, for all channels and single ones.
  public let values: PerChannel<Node.Settings>
  /// Which settings single channels state for themselves, by channel from 0.
  public let stated: [Int: Set<String>]

  /// Puts settings and the node's type together.
  public init(_ values: PerChannel<Node.Settings>, stated: [Int: Set<String>] = [:]) {
    self.values = values
    self.stated = stated
  }

  /// The same node type with other settings.
  public func with(_ values: PerChannel<Node.Settings>, stated: [Int: Set<String>]) -> NodeSettings {
    NodeSettings(values, stated: stated)
  }
}

/// What a node type is given when it says the channels of its outputs.
public struct Shaping<Settings: Sendable>: Sendable {
  /// A port as wired.
  public struct Input: Sendable {
    /// The type of what arrives; nil when nothing is wired to it.
    public let type: PortType?
    /// The channels that arrive, numbered from 1 at this port, names kept.
    public let channels: [Channel]

    /// Makes a port as wired.
    public init(type: PortType?, channels: [Channel]) {
      self.type = type
      self.channels = channels
    }
  }

  /// The node's id; empty where settings are looked at by themselves.
  public let id: String
  /// The node's settings.
  public let settings: PerChannel<Settings>
  /// The input ports in the order of the declaration.
  public let inputs: [Input]
  /// The folder of the graph file; relative files start here.
  public let folder: String
  /// The fixtures of the graph.
  public let patch: FixturePatch
  /// Takes a fault; `field` names the setting at fault, or what lies in it by its path (`sounds.kick.path`); nil means
  /// the node itself.
  public let report: @Sendable (_ code: String, _ field: String?, _ message: String) -> Void
  /// Takes a fault with its own place, in a value that can be judged only beside others; it hides no port and no channel.
  public let reportPlaced: @Sendable (Diagnostic) -> Void
  /// Whether more is wrong already than is shown: to look for what was meant is then not worth the time.
  public let hasPlenty: Bool

  /// Makes the request.
  public init(
    id: String, settings: PerChannel<Settings>, inputs: [Input], folder: String,
    patch: FixturePatch = FixturePatch(), hasPlenty: Bool = false,
    reportPlaced: @escaping @Sendable (Diagnostic) -> Void = { _ in },
    report: @escaping @Sendable (_ code: String, _ field: String?, _ message: String) -> Void
  ) {
    self.id = id
    self.settings = settings
    self.inputs = inputs
    self.folder = folder
    self.patch = patch
    self.hasPlenty = hasPlenty
    self.reportPlaced = reportPlaced
    self.report = report
  }
}

/// A kind of file that holds settings of a node type, so that several graphs and people can share them.
///
/// What the file says comes first, and what the node says after it. Other files named in it are relative to its folder.
public struct SettingsFile: Sendable {
  /// The setting that names the file (`emitter`): a `GraphFile?`.
  public let key: String
  /// The setting that changes single values by their paths (`set`): `SettingChanges`.
  public let changes: String
  /// The first key of such a file; its value is the version of the format (`visgraph-emitter`).
  public let version: String
  /// What sentences call such a file (`an emitter file`).
  public let noun: String
  /// Settings that are the graph's own business, such as where something is sent: no such file can have them.
  public let reserved: [String]

  /// Declares a kind of file.
  public init(key: String, changes: String, version: String, noun: String, reserved: [String] = []) {
    self.key = key
    self.changes = changes
    self.version = version
    self.noun = noun
    self.reserved = reserved
  }

  /// Keys of a node that such a file cannot have.
  var without: [String] { fixed + reserved }
  /// Keys of a node that cannot be changed by path.
  var fixed: [String] { [key, changes] + NodeEntry.keys }
}

/// What a file of settings says of itself.
struct SettingsFileHeader: FieldRecord {
  var name: String?
  var author: String?
  var licence: String?

  static let recordName = "file heading"
  static let fields: [Field<SettingsFileHeader>] = [
    Field("name", \.name, .text(pattern: "^.{1,200}$", form: "1 to 200 characters"), "What it is called."),
    Field("author", \.author, .text(pattern: "^.{1,500}$", form: "1 to 500 characters"), "Who made it."),
    Field(
      "licence", \.licence, .text(pattern: "^.{1,500}$", form: "1 to 500 characters"), aliases: ["license"],
      "Under which terms it may be used."),
  ]
}
