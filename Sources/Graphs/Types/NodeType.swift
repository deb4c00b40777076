/// A type of node, declared once: its name, ports, settings, shape, and the halves that run it.
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
  /// The ports wires lead to; the first decides the width.
  static func inputs(_ settings: Settings) -> [InputPort]
  /// The ports wires start from; the first is meant where a wire names none.
  static func outputs(_ settings: Settings) -> [OutputPort]
  /// The channels of every output, known while the file is checked. Faults go to `shaping.report`. [control]
  static func shape(_ shaping: Shaping<Settings>) -> [[Channel]]
  /// Which input channels each channel of an output is made from; nil: from the same number of the first input.
  static func makes(output: Int, channel: Int, shaping: Shaping<Settings>) -> [Int]?
  /// The halves that run: in the audio callback, on the frame thread, as far as it has them. [control]
  static func halves(_ making: Making<Settings>) throws -> Halves
}

extension NodeType {
  /// None, unless a type has some.
  public static var aliases: [String] { [] }
  /// None.
  public static var example: String? { nil }
  /// The graph alone.
  public static var settingsFile: SettingsFile? { nil }
  /// Every output has the channels of the first input.
  public static func shape(_ shaping: Shaping<Settings>) -> [[Channel]] {
    let first = shaping.inputs.first?.channels ?? []
    return outputs(shaping.settings.all).map { _ in first }
  }
  /// From the same number of the first input.
  public static func makes(output: Int, channel: Int, shaping: Shaping<Settings>) -> [Int]? { nil }
  /// None.
  public static func halves(_ making: Making<Settings>) throws -> Halves { Halves() }
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
}

/// What a node type is told when it says the channels of its outputs.
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
  /// Takes a fault; `field` names the setting at fault, or what lies in it by its path (`sounds.kick.path`); nil means
  /// the node itself.
  public let report: @Sendable (_ code: String, _ field: String?, _ sentence: String) -> Void

  /// Makes the request.
  public init(
    id: String, settings: PerChannel<Settings>, inputs: [Input], folder: String,
    report: @escaping @Sendable (_ code: String, _ field: String?, _ sentence: String) -> Void
  ) {
    self.id = id
    self.settings = settings
    self.inputs = inputs
    self.folder = folder
    self.report = report
  }
}
