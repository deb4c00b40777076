import Graphs
import Nodes

/// The kind of files that are mutated, and the readers that they are given to.
enum Subject: String {
  /// Graph files and emitter files, given to the checker and the engine.
  case graphs = ""
  /// Particle files of other programs, given to the importer.
  case particles = "-import"
  /// Fixtures and rigs of other programs, given to the importer; fixture files, given to the checker.
  case fixtures = "-fixtures"
  /// LED layouts, given to the importer and the checker.
  case layouts = "-layouts"
  /// PNG files, given to the reader of pictures, and drawn.
  case pictures = "-pictures"
  /// Audio files, given to every decoder.
  case audio = "-audio"

  private static let seeds = "tools/fuzz.d/seeds"

  /// The extension of its files.
  var ending: String {
    switch self {
    case .graphs: ".yaml"
    case .particles: ".particles"
    case .fixtures: ".fixture"
    case .layouts: ".layout"
    case .pictures: ".png"
    case .audio: ".sound"
    }
  }

  /// The mutants of a seed.
  func mutation(_ seed: String) -> any MutantSource {
    let seed = UInt64(seed) ?? 1
    switch self {
    case .graphs:
      return Mutation(
        corpus: Corpus(
          folders: ["graphs", "Tests/Golden", "Tests/Faults", Self.seeds], catalog: Catalog(types: everyNode)),
        seed: seed
      )
    case .particles: return ImportMutation(folder: "\(Self.seeds)/import", seed: seed)
    case .fixtures: return FixtureMutation(folder: "\(Self.seeds)/fixtures", seed: seed)
    case .layouts: return LayoutMutation(folder: "\(Self.seeds)/layouts", seed: seed)
    case .pictures: return PictureMutation(folder: "\(Self.seeds)/pictures", seed: seed)
    case .audio: return AudioMutation(folder: "\(Self.seeds)/audio", seed: seed)
    }
  }

  /// The trial of the mutants; files that it needs lie beside `path`.
  func trial(beside path: String) -> any MutantTrial {
    switch self {
    case .graphs: Trial(folder: "graphs")
    case .particles: ImportTrial(folder: "\(Self.seeds)/import", beside: path)
    case .fixtures: FixtureTrial(beside: path)
    case .layouts: LayoutTrial(beside: path)
    case .pictures: PictureTrial(beside: path)
    case .audio: AudioTrial(beside: path)
    }
  }
}
