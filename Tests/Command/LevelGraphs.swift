import TestSounds
import TestSupport

/// Graphs that several tests run.
enum LevelGraphs {
  /// Which.
  enum Example {
    case everything, driven
    var text: String {
      switch self {
      case .everything: LevelGraphs.everything
      case .driven: LevelGraphs.driven
      }
    }
  }

  /// A file through gain and filter into meters of every kind, and their levels through every kind of frame node.
  static let everything = """
    visgraph: 1
    nodes:
      song: { type: file-source, path: song.wav }
      louder: { type: gain, gain: -3.5, each: { 2: { gain: 2 } } }
      low: { type: filter, frequency: 800, q: 1.3 }
      meter: { type: meter, attack: 20 ms, hold: 50 ms, release: 0.6 s, each: { 2: { release: 30 dB/s } } }
      slow: { type: meter, window: 0.3 s, reference: rms }
      table: { type: meter-table }
      span: { type: range, from: [-50, -3], curve: 1.7 }
      door: { type: gate, open: -30, close: -36, hold: 40 ms }
      kick: { type: trigger, above: -12 }
      both: { type: combine, by: power }
    wires:
      - song -> louder -> low
      - low -> meter -> table
      - low -> slow
      - meter.peak -> span
      - slow -> door
      - meter -> kick
      - meter -> both

    """

  /// A level that drives a gain.
  static let driven = """
    visgraph: 1
    nodes:
      song: { type: file-source, path: song.wav }
      first: { type: meter, release: 0.2 s }
      table: { type: meter-table }
      ducked: { type: gain }
      second: { type: meter }
    wires:
      - song -> first -> table -> ducked.level
      - song -> ducked -> second

    """

  /// Writes one of them with its sound, and gives the path of the graph.
  static func write(_ graph: String, in folder: TemporaryFolder, seconds: Double = 2.5) throws -> String {
    try folder.write(Wave.bytes(Sounds.lively(seconds: seconds)), to: "song.wav")
    return try folder.write(graph, to: "graph.yaml")
  }
}
