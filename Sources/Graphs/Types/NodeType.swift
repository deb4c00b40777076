/// A type of node: its name, ports, settings and shape. The engine's `RunnableNode` adds what runs it.
public protocol NodeType: Sendable {
  /// The settings; their initial values are the defaults.
  associatedtype Settings: FieldRecord

  /// The name in graph files (`type: meter`). It never changes once released.
  static var name: String { get }
  /// Older names that are accepted.
  static var aliases: [String] { get }
  /// A summary in one sentence, then details.
  static var help: String { get }
  /// A few lines of a graph file that show its use, without the key `nodes:`; nil where the help is enough.
  static var example: String? { get }
  /// The kind of file that its settings can be read from; nil: none.
  static var settingsFile: SettingsFile? { get }
  /// The latency of its results, in words; nil: they belong to the frame that has just ended.
  static var delay: String? { get }
  /// Its role for code that shows or serves a graph; nil: none.
  static var role: NodeRole? { get }
  /// The setting that turns it off in a scene, the value, and the meaning as a phrase; nil: it cannot be off.
  static var off: (setting: String, value: String, help: String)? { get }
  /// The scene that a setting names, which the checker looks up; nil: none.
  static func sceneChoice(_ settings: Settings) -> (setting: String, choice: SceneChoice)?
  /// The keys of the terminal that its settings use, one character each.
  static func keys(_ settings: Settings) -> [String]
  /// The resources that a node may not share, in words, each with the setting that names it. Two nodes with the same
  /// claim are a fault.
  static func claims(_ settings: Settings, inputs: [CheckedInput]) -> [(setting: String, claim: String)]
  /// The input ports. The first one decides the width.
  static func inputs(_ settings: Settings) -> [InputPort]
  /// The output ports. A wire that names no port starts at the first one.
  static func outputs(_ settings: Settings) -> [OutputPort]
  /// The channels of every output, computed while the file is checked. Faults go to `shaping.report`. [control]
  static func shape(_ shaping: Shaping<Settings>) -> [[Channel]]
  /// The input channels that an output channel is computed from; nil: the channel with its number in the first input.
  static func sourceChannels(output: Int, channel: Int, shaping: Shaping<Settings>) -> [Int]?
}

extension NodeType {
  /// None, unless a type has some.
  public static var aliases: [String] { [] }
  /// None.
  public static var example: String? { nil }
  /// None: settings stand in the graph alone.
  public static var settingsFile: SettingsFile? { nil }
  /// No delay: results belong to the frame that has just ended.
  public static var delay: String? { nil }
  /// No role.
  public static var role: NodeRole? { nil }
  /// It cannot be off.
  public static var off: (setting: String, value: String, help: String)? { nil }
  /// None.
  public static func sceneChoice(_ settings: Settings) -> (setting: String, choice: SceneChoice)? { nil }
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
  /// The channel with the same number in the first input.
  public static func sourceChannels(output: Int, channel: Int, shaping: Shaping<Settings>) -> [Int]? { nil }
}

/// The role of a node for code that shows or serves a graph, so that such code names no type.
public enum NodeRole: Sendable {
  /// Its sound comes from the host's ports.
  case hostInput
  /// Its sound goes to the host's ports.
  case hostOutput
  /// It measures its first input: levels leave by its first output, peaks by the output `peak`.
  case meter
  /// It passes levels or stops them.
  case gate
  /// It plays sounds on request.
  case sampler
  /// It sends the levels of its first input to other programs.
  case sender
  /// Its levels are the points of a picture, too many to be read singly.
  case picture
}

/// The settings of a node: those for all channels, and those of single channels.
public struct PerChannel<Settings: Sendable>: Sendable {
  /// The settings of every channel that has none of its own.
  public var all: Settings
  /// The settings of the channels that `each:` names, by index from 0; each is complete.
  public var each: [Int: Settings]

  /// Makes settings.
  public init(all: Settings, each: [Int: Settings] = [:]) {
    self.all = all
    self.each = each
  }

  /// The settings of a channel, by index from 0.
  public subscript(channel: Int) -> Settings { each[channel] ?? all }

  /// The result of `make` for each of `count` channels. It is made once for all channels without settings of their own.
  @inlinable public func map<Made>(_ count: Int, _ make: (Settings) -> Made) -> [Made] {
    var made = [Made](repeating: make(all), count: count)
    for (channel, settings) in each where channel < count { made[channel] = make(settings) }
    return made
  }
}

/// A node's type together with its settings, so that the type of the settings is known statically.
public protocol TypedSettings<Node>: Sendable {
  /// The type of the node.
  associatedtype Node: NodeType
  /// The settings of all channels and of single ones.
  var values: PerChannel<Node.Settings> { get }
  /// The names of the settings that single channels set themselves, by channel from 0.
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
  /// The settings of all channels and of single ones.
  public let values: PerChannel<Node.Settings>
  /// The names of the settings that single channels set themselves, by channel from 0.
  public let stated: [Int: Set<String>]

  /// Combines settings with the node's type.
  public init(_ values: PerChannel<Node.Settings>, stated: [Int: Set<String>] = [:]) {
    self.values = values
    self.stated = stated
  }

  /// The same node type with other settings.
  public func with(_ values: PerChannel<Node.Settings>, stated: [Int: Set<String>]) -> NodeSettings {
    NodeSettings(values, stated: stated)
  }
}

/// The facts that a node type computes its channels from.
public struct Shaping<Settings: Sendable>: Sendable {
  /// The node's id; empty where settings are checked without a node.
  public let id: String
  /// The node's settings.
  public let settings: PerChannel<Settings>
  /// The input ports in the order of the declaration.
  public let inputs: [CheckedInput]
  /// The folder of the graph file, which file names are relative to.
  public let folder: String
  /// The fixtures of the graph.
  public let patch: FixturePatch
  /// Reports a fault. `field` names the setting, or a path inside it (`sounds.kick.path`, `to.2.address`); nil means
  /// the node itself.
  public let report: @Sendable (_ code: String, _ field: String?, _ message: String) -> Void
  /// Reports a fault with a place of its own, of a value that depends on others. It hides no port or channel.
  public let reportPlaced: @Sendable (Diagnostic) -> Void
  /// Whether more faults were found than are shown. Suggestions are then not worth their time.
  public let hasPlenty: Bool

  /// Makes the facts.
  public init(
    id: String, settings: PerChannel<Settings>, inputs: [CheckedInput], folder: String,
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

/// A kind of file with settings of a node type, which several graphs can share.
///
/// Settings of the node override those of the file. File names in it are relative to its own folder.
public struct SettingsFile: Sendable {
  /// The setting that names the file (`emitter`): a `GraphFile?`.
  public let key: String
  /// The setting that changes single values of the file by path (`set`): `SettingChanges`.
  public let changes: String
  /// The first key of such a file; its value is the version of the format (`visgraph-emitter`).
  public let version: String
  /// The name of such a file in messages (`an emitter file`).
  public let noun: String
  /// Settings that belong to the graph, such as targets; a file cannot have them.
  public let reserved: [String]

  /// Declares a kind of file.
  public init(key: String, changes: String, version: String, noun: String, reserved: [String] = []) {
    self.key = key
    self.changes = changes
    self.version = version
    self.noun = noun
    self.reserved = reserved
  }

  /// The keys of a node that a file cannot have.
  var without: [String] { notByPath + reserved }
  /// The keys of a node that cannot be changed by path: what names the file, its changes, and keys of every node.
  var notByPath: [String] { [key, changes] + NodeEntry.keys }
}

/// The heading of a settings file: metadata.
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
