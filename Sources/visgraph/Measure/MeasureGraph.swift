import Engine
import Graphs
import Nodes
import Playback
import System
import Tables

/// The graph that measures files: a built-in one with the channels of each file, or a user's. [any]
final class MeasureGraph: Sendable {
  /// The columns of the table that the graph's levels fill.
  let columns: [MeasuredColumn]
  /// Differs for rows of another graph or version. It holds a checksum and no text, because a graph may hold secrets.
  let identity: String
  /// The user's graph; nil: the built-in one.
  private let own: CheckedGraph?
  /// Built-in graphs made so far, by their text.
  private let made = Locked<[String: CheckedGraph]>([:])

  /// The nominal centre frequencies of octave bands (IEC 61260-1), in Hz; the lowest, 31.5 Hz, without its fraction.
  private static let octaves = ["31", "63", "125", "250", "500", "1000", "2000", "4000", "8000", "16000"]

  private static var name: String { "visgraph \(ProgramVersion.text) measure " }

  init() {
    own = nil
    identity = Self.name + "built in"
    columns =
      [
        MeasuredColumn("loudness_lufs", "loudness.integrated/", .last),
        MeasuredColumn("loudness_range_lu", "loudness.range/", .last),
        MeasuredColumn("momentary_max_lufs", "loudness.highestMomentary/", .last),
        MeasuredColumn("short_term_max_lufs", "loudness.highestShortTerm/", .last),
        MeasuredColumn("true_peak_dbtp", "loudness.highestTruePeak/", .last),
        MeasuredColumn("tempo_bpm", "beat.tempo/", .median),
        MeasuredColumn("tempo_confidence", "beat.confidence/", .highest),
      ] + Self.octaves.map { MeasuredColumn("band_\($0)_hz_dbfs", "bands/", channel: "\($0)Hz", .mean) }
  }

  /// A user's graph. Each file is played into its JACK inputs.
  ///
  /// - Throws: if it has no JACK input or no levels, or cannot be started.
  init(_ graph: CheckedGraph, text: String) throws {
    guard graph.nodes.contains(where: { $0.type.role == .hostInput }) else {
      throw RunError(
        description: "\(graph.path) has no jack-input, where files would be heard: wire one to what measures",
        isOfGraph: true)
    }
    own = graph
    identity = Self.name + FileChecksum.of(Array(text.utf8))
    let show = Show()
    let plan = try show.open(
      graph,
      StreamConfiguration(
        sampleRate: graph.requires.rate(preferring: 48_000), isRealTime: false, packets: .nowhere),
      host: nil)
    columns = MeasuredColumn.all(of: plan.frames)
    show.close()
    guard !columns.isEmpty else {
      throw RunError(
        description: "\(graph.path) makes no levels: add a node that measures, such as meter or loudness",
        isOfGraph: true)
    }
  }

  /// The user's graph, or the built-in one for files of a format. A built-in graph is made once for each list of
  /// channel names, and for each number of channels without names.
  ///
  /// - Throws: `AudioError` if no graph can have that many channels.
  func graph(for format: AudioFormat, path: String) throws(AudioError) -> CheckedGraph {
    if let own { return own }
    // Channel names tell loudness which channels are surround channels and which is the LFE.
    let isNamed = Set(format.channelNames).count == format.channels
    let texts =
      (isNamed ? [Self.text(format.channels, format.channelNames)] : []) + [
        Self.text(format.channels, [])
      ]
    for text in texts {
      if let graph = made.withLock({ $0[text] }) { return graph }
      let source = SourceText(path: "visgraph measure", text: text)
      guard let graph = GraphSource(place: .text(source)).read([]).graph else { continue }
      made.withLock { $0[text] = graph }
      return graph
    }
    throw AudioError(.channels, path: path, reason: "it has \(format.channels)")
  }

  private static func text(_ channels: Int, _ names: [String]) -> String {
    let called = names.isEmpty ? "" : ", names: [\(names.map(PlayGraph.quoted).joined(separator: ", "))]"
    let bands = octaves.map { name in
      // The centre is the nominal frequency; the edges are half an octave away, a factor of √2.
      let middle = Double(name) ?? 0
      return "\(name)Hz: [\(middle / 2.0.squareRoot()), \(middle * 2.0.squareRoot())]"
    }
    return """
      visgraph: 1
      name: visgraph measure
      fps: 20
      nodes:
        sound: { type: jack-input, channels: \(channels)\(called) }
        loudness: { type: loudness }
        beat: { type: beat }
        bands: { type: bands, window: auto, edges: { \(bands.joined(separator: ", ")) } }
      wires:
        - sound -> loudness
        - sound -> beat
        - sound -> bands

      """
  }
}
