import Glibc
import Graphs
import Importers
import Particles
import Rendering

/// What has to hold for any bytes given to the importer: an emitter within its ranges and a file that is YAML, or a
/// fault.
struct ImportTrial: MutantTrial {
  private let path: String

  /// `folder` has the textures that files name; written files lie in the folder of the file `beside`.
  init(folder: String, beside: String) {
    let own = "\(beside)-import-\(getpid())"
    mkdir(own, 0o700)
    write(bytes(of: "\(folder)/spark.png"), to: "\(own)/spark.png")
    path = "\(own)/mutant"
  }

  /// Removes the written files.
  func remove() {
    let own = String(path.dropLast("/mutant".count))
    unlink("\(own)/spark.png")
    unlink(path)
    rmdir(own)
  }

  func outcome(of bytes: [UInt8], running: () -> Void) throws -> Trial.Outcome {
    write(bytes, to: path)
    let imported: ParticleImport
    do throws(ImportError) {
      imported = try ParticleImport.read(path: path)
    } catch {
      try inspect(at: error.message, "sentence")
      guard error.code.utf8.allSatisfy({ $0 &- 0x61 < 26 || $0 &- 0x30 < 10 || $0 == 0x2D }),
        !error.code.isEmpty
      else {
        throw Trial.Complaint("code: \(error.code)")
      }
      return .refused
    }
    running()
    try inspect(at: imported)
    return .ran
  }

  private func inspect(at imported: ParticleImport) throws {
    for number in Layer.numbers where number.name != "duration" {
      try inspect(at: imported.layer[keyPath: number.path], number.range, number.name)
    }
    guard imported.layer.cells.count == 1, (1...1_000_000).contains(imported.layer.limit) else {
      throw Trial.Complaint("layer: limit \(imported.layer.limit)")
    }
    for number in Cell.numbers where number.name != "duration" {
      try inspect(at: imported.layer.cells[0][keyPath: number.path], number.range, number.name)
    }
    for note in imported.notes { try inspect(at: note.text, "note") }
    let text = imported.text(contents: imported.texture == nil ? nil : "mutant.png")
    guard text.utf8.count < 100_000 else { throw Trial.Complaint("text: \(text.utf8.count) bytes") }
    let source = SourceText(path: "mutant.yaml", bytes: Array(text.utf8))
    // A graph has other keys; this only checks whether the text is YAML.
    let checked = Checker(Catalog(types: [])).check(source)
    if let fault = checked.faults.first(where: { $0.code.contains("yaml") || $0.code.contains("encoding") }) {
      throw Trial.Complaint("yaml: \(fault.message)")
    }
  }

  private func inspect(at value: Double, _ range: ClosedRange<Double>, _ name: String) throws {
    // Limits of ranges may be rounded to single precision.
    guard value.isFinite, value >= range.lowerBound - 1e-6, value <= range.upperBound + 1e-6 else {
      throw Trial.Complaint("range: \(name) is \(value)")
    }
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
