/// How much a graph file may ask for: far more than anybody writes, far less than hurts.
public enum Limits {
  /// Bytes of a graph file.
  public static let fileBytes = 4 << 20
  /// Levels of nesting.
  public static let depth = 64
  /// Keys, values, and beginnings and ends of lists and maps.
  public static let events = 100_000
  /// Faults that are shown.
  public static let faults = 100
  /// Bytes that `${…}` may add to a file in all.
  public static let substitutedBytes = 1 << 20
  /// Nodes from the first of a chain of `like:` to the last.
  public static let likeChain = 16
  /// Wires, counting each link of a chain.
  public static let wires = 50_000
  /// Numbers, ranges and names within one `[ ]`.
  public static let selectorParts = 256
  /// Channels of one port.
  public static let channels = 4096
  /// Channels of all wires and outputs together.
  public static let wiredChannels = 200_000
  /// Bytes of all files of settings together.
  public static let filesBytes = 8 << 20
  /// Settings that nodes take from files and from each other, and that are changed by their paths, in all.
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
  /// What one hook does.
  public static let hookActions = 64
  /// Other programs that hooks send to, and that cues and alarms do.
  public static let messageTargets = 32
  /// Settings of single channels in all.
  public static let eachSettings = 20_000
}
