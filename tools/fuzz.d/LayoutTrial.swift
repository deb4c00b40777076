import Glibc
import Graphs
import Importers

/// What has to hold for any bytes given to the importer of layouts, and to a graph that names them: a graph that runs,
/// or a fault that can be shown.
struct LayoutTrial: MutantTrial {
  private let folder: String
  private let graphs: Trial

  /// Written files lie in a folder of their own beside `beside`.
  init(beside: String) {
    folder = "\(beside)-layouts-\(getpid())"
    mkdir(folder, 0o700)
    graphs = Trial(folder: folder)
  }

  private var mutant: String { "\(folder)/mutant" }
  private var table: String { "\(folder)/made.csv" }

  /// Removes the written files.
  func remove() {
    unlink(mutant)
    unlink(table)
    rmdir(folder)
  }

  func outcome(of bytes: [UInt8], running: () -> Void) throws -> Trial.Outcome {
    write(bytes, to: mutant)
    let named = try graphs.outcome(of: graph, running: running)
    let imported: LayoutImport?
    do throws(ImportError) {
      imported = try LayoutImport.read(path: mutant, stem: "made", most: PixelRun.most)
    } catch {
      try inspect(at: error.message, "sentence")
      if named != .refused { throw Trial.Complaint("import: refused what a graph takes") }
      return .refused
    }
    guard let imported else {
      if named != .refused { throw Trial.Complaint("import: does not know what a graph takes") }
      return .refused
    }
    for note in imported.layout.notes { try inspect(at: note.text, "note") }
    if let made = imported.table { write(Array(made.text.utf8), to: table) }
    let made = try graphs.outcome(of: Array(imported.text.utf8), running: {})
    if made == .refused || named == .refused { throw Trial.Complaint("import: a graph with faults") }
    return made
  }

  private var graph: [UInt8] {
    let text = """
      visgraph: 1
      nodes:
        on: { type: constant, value: 1 }
        leds: { type: pixels, layout: { file: mutant, axes: x -y }, colors: GRBW }
        out: { type: ddp-output, to: 127.0.0.1 }
      wires: [on -> leds.level, leds -> out]

      """
    return Array(text.utf8)
  }

  private func inspect(at text: String, _ what: String) throws {
    let unsafe = text.unicodeScalars.first { scalar in
      scalar.value < 32 || (127...159).contains(scalar.value) || (0x202A...0x202E).contains(scalar.value)
        || (0x2066...0x2069).contains(scalar.value) || scalar.value == 0x2028 || scalar.value == 0x2029
    }
    if let unsafe { throw Trial.Complaint("\(what): U+\(String(unsafe.value, radix: 16)) is shown") }
    if text.isEmpty { throw Trial.Complaint("\(what): empty") }
  }
}
