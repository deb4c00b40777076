import Glibc
import Graphs
import Importers

/// What has to hold for any bytes given to the importer of fixtures and rigs, and for any fixture file that a graph
/// names: a graph that runs, or a fault that can be shown.
struct FixtureTrial: MutantTrial {
  private let folder: String
  private let graphs: Trial

  /// Written files lie in a folder of their own beside `beside`.
  init(beside: String) {
    folder = "\(beside)-fixtures-\(getpid())"
    mkdir(folder, 0o700)
    graphs = Trial(folder: folder)
  }

  private var mutant: String { "\(folder)/mutant" }
  private var lamp: String { "\(folder)/lamp.yaml" }

  /// Removes the written files.
  func remove() {
    unlink(mutant)
    unlink(lamp)
    rmdir(folder)
  }

  func outcome(of bytes: [UInt8], running: () -> Void) throws -> Trial.Outcome {
    write(bytes, to: mutant)
    let (fixture, rig): (FixtureImport?, MvrImport?)
    do throws(ImportError) {
      fixture = try FixtureImport.read(path: mutant)
      rig = fixture == nil ? try MvrImport.read(path: mutant, stem: "rig") : nil
    } catch {
      try inspect(at: error.message, "sentence")
      return .refused
    }
    if let fixture { return try inspect(at: fixture, running: running) }
    if let rig { return try inspect(at: rig, running: running) }
    // No fixture and no rig: tries it as a file that a graph names.
    write(bytes, to: lamp)
    return try graphs.outcome(of: graph(mode: nil), running: running)
  }

  private func graph(mode: String?) -> [UInt8] {
    let mode =
      mode.map { ", mode: \"\($0.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\"" } ?? ""
    let text = """
      visgraph: 1
      patch: [{ name: A, count: 2, fixture: lamp.yaml\(mode), address: 1/1 }]
      nodes:
        c: { type: constant }
        w: { type: lights, of: A, color: orange, gobo: 3, strobe: 4 Hz, drive: [{ key: dimmer, to: [0, 1] }] }
        out: { type: sacn-output, to: 127.0.0.1:9 }
      wires: [c -> w -> out]

      """
    return Array(text.utf8)
  }

  private func inspect(at fixture: FixtureImport, running: () -> Void) throws -> Trial.Outcome {
    for note in fixture.notes { try inspect(at: note.text, "note") }
    write(Array(fixture.text.utf8), to: lamp)
    let made = try graphs.outcome(of: graph(mode: fixture.modes[0]), running: running)
    // A size above the limit for files of a graph is no fault of the importer.
    if made == .refused, fixture.text.utf8.count < 500_000 {
      throw Trial.Complaint("import: a file with faults")
    }
    return made
  }

  private func inspect(at rig: MvrImport, running: () -> Void) throws -> Trial.Outcome {
    for note in rig.notes { try inspect(at: note.text, "note") }
    defer { for (file, _) in rig.fixtures { unlink("\(folder)/\(file)") } }
    for (file, fixture) in rig.fixtures {
      guard !file.contains("/"), !file.hasPrefix(".") else { throw Trial.Complaint("name: \(file)") }
      write(Array(fixture.text.utf8), to: "\(folder)/\(file)")
    }
    // Fixtures may overlap; this checks whether that is reported.
    return try graphs.outcome(of: Array(rig.text.utf8), running: running)
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
