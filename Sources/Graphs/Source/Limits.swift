/// Limits of a graph file, well above what authors write and low enough to bound time and memory.
public enum Limits {
  /// Bytes of a graph file.
  public static let fileBytes = 4 << 20
  /// Levels of nesting.
  public static let depth = 64
  /// YAML events: keys, values, and starts and ends of lists and maps.
  public static let events = 100_000
  /// Faults that are shown.
  public static let faults = 100
  /// Bytes that all `${…}` together may add to a file.
  public static let substitutedBytes = 1 << 20
  /// Nodes in one chain of `like:`.
  public static let likeChain = 16
  /// Wires; each link of a chain counts.
  public static let wires = 50_000
  /// Numbers, ranges and names in one `[ ]`.
  public static let selectorParts = 256
  /// Channels of one port.
  public static let channels = 4096
  /// Channels of all ports and wires of a graph together.
  public static let wiredChannels = 200_000
  /// Bytes of all files of settings together.
  public static let filesBytes = 8 << 20
  /// Settings that all nodes together take from files and from each other, or that are changed by path.
  public static let fileSettings = 500_000
  /// Different pictures that a graph uses.
  public static let pictures = 256
  /// Scenes of a graph.
  public static let scenes = 256
  /// Different settings that the scenes of a graph set.
  public static let sceneSettings = 256
  /// Keys and values of nodes, times the scenes that they are checked in.
  public static let sceneChecks = 2_000_000
  /// Cues of a graph.
  public static let cues = 1000
  /// Alarms of a graph.
  public static let alarms = 256
  /// Actions of one hook.
  public static let hookActions = 64
  /// Targets that hooks, cues and alarms send to.
  public static let messageTargets = 32
  /// Settings of single channels in all nodes together.
  public static let eachSettings = 20_000
}
