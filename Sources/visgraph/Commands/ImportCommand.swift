import ArgumentParser
import Glibc
import Graphs
import Importers
import Rendering
import System

/// `visgraph import FILE`.
struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract:
      "Writes an emitter file, a fixture file, a patch or a graph of LEDs from a file of another program.",
    discussion: """
      Particles: FILE is a .plist of cocos2d and Particle Designer, a .pex of Starling, or a .ped of \
      UIEffectDesigner; its texture is written beside. Lamps: a .qxf of QLC+, a .json of the Open Fixture Library, or \
      a .gdtf (GDTF 1.2) becomes a fixture file with all its modes, or with --mode one. A rig: an .mvr (MVR 1.6) \
      becomes a graph with its patch, and a fixture file for each kind of lamp. LEDs: an .xmodel of xLights, a \
      ledmap.json of WLED or a .csv of x, y[, z] becomes a graph that lights them, with a .csv of their places beside \
      it unless they are a full grid. What could not be carried over is listed here and at the top of the written \
      file.
      """)

  @Argument(
    help: ArgumentHelp("The file of the other program.", valueName: "file"),
    completion: .file(extensions: ["plist", "pex", "ped", "qxf", "json", "gdtf", "mvr", "xmodel", "csv"]))
  var file: String

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp(
      "The file to write; by default FILE's name with .yaml in the current folder.", valueName: "out.yaml"),
    completion: .file(extensions: ["yaml", "yml"]))
  var output: String?

  @Option(help: ArgumentHelp("Imports this mode of a lamp alone.", valueName: "mode")) var mode: String?

  @Flag(help: "Leaves out the texture; the built-in soft light takes its place.") var withoutTexture = false

  @Flag(help: "Writes over files that exist; over a table (.csv) only if it holds nothing but positions.")
  var force = false

  func validate() throws {
    if let output, !output.hasSuffix(".yaml"), !output.hasSuffix(".yml") {
      throw ValidationError("-o \(output): the name ends in .yaml")
    }
  }

  func run() throws {
    let files = ImportedFiles(output: output, of: file, replacing: force)
    let imported: Imported
    do throws(ImportError) {
      imported = try read(stem: files.stem)
    } catch {
      let isTexture = error.code.contains("texture")
      printNote(
        "visgraph: \(error.message)" + (isTexture ? "; --without-texture imports it without" : "")
          + " [\(error.code)]")
      throw ExitCode.faulty
    }
    do throws(ImportedFiles.WriteError) {
      let written = try files.write(imported)
      for line in imported.noteLines { printNote(line) }
      for path in written { printResult(path) }
    } catch {
      printNote("visgraph: \(error.message)")
      throw ExitCode.failed
    }
  }

  /// Reads the file. The names of further files begin with `stem`.
  private func read(stem: String) throws(ImportError) -> Imported {
    if let fixture = try FixtureImport.read(path: file, mode: mode) { return .fixture(fixture) }
    guard mode == nil else { throw ImportError.modeless(file) }
    if let layout = try LayoutImport.read(path: file, stem: stem, most: PixelRun.most) {
      return .layout(layout)
    }
    if let patch = try MvrImport.read(path: file, stem: stem) { return .patch(patch) }
    return .particles(try ParticleImport.read(path: file, withTexture: !withoutTexture))
  }
}

/// The result of an import.
enum Imported {
  case particles(ParticleImport)
  case fixture(FixtureImport)
  case patch(MvrImport)
  case layout(LayoutImport)

  /// Notes on what could not be imported, for the terminal.
  var noteLines: [String] {
    switch self {
    case .particles(let particles): particles.noteLines
    case .fixture(let fixture): fixture.noteLines
    case .layout(let layout): layout.noteLines
    case .patch(let patch):
      patch.noteLines
        + patch.fixtures.flatMap { file, fixture in
          fixture.notes.isEmpty ? [] : ["\(file):"] + fixture.noteLines.map { "  \($0)" }
        }
    }
  }
}

/// Writes the result of an import: the main file, and a texture, fixture files or positions in the same folder.
struct ImportedFiles {
  struct WriteError: Error {
    let message: String
  }

  private let output: String
  /// The path of the file of the other program.
  private let source: String
  private let replacing: Bool

  /// `output`: the path as given; nil: the name of `file` with .yaml, in the current folder.
  init(output: String?, of file: String, replacing: Bool) {
    source = file
    self.replacing = replacing
    let name = file.split(separator: "/").last.map(String.init) ?? "imported"
    self.output = output ?? Self.stem(name) + ".yaml"
  }

  /// The name of the main file without its ending.
  var stem: String { Self.stem(output.split(separator: "/").last.map(String.init) ?? output) }
  /// The path of the folder, with a slash at its end; empty: the current one.
  private var folder: String {
    output.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(output[...$0]) } ?? ""
  }

  /// Writes all files; returns their paths.
  func write(_ imported: Imported) throws(WriteError) -> [String] {
    switch imported {
    case .particles(let particles): return try write(particles)
    case .fixture(let fixture):
      try write(fixture.text, to: output)
      return [output]
    case .patch(let patch):
      return try write(patch.text, with: patch.fixtures.map { ($0.file, $0.fixture.text) })
    case .layout(let layout):
      return try write(layout.text, with: tables(of: layout))
    }
  }

  /// The table beside a graph of LEDs. There is none where the imported table itself lies there under that name: the
  /// graph names it, and reads it as the import has. Throws where a file lies there that holds more than positions, so
  /// that no import has written it: the command line does not name it, so `--force` does not apply to it.
  private func tables(of imported: LayoutImport) throws(WriteError) -> [(name: String, text: String)] {
    guard let table = imported.table else { return [] }
    let path = folder + table.file
    if imported.layout.format == .table, let there = RealPath(path)?.text, there == RealPath(source)?.text {
      return []
    }
    if access(path, F_OK) == 0 {
      guard let bytes = try? RegularFile.bytes(of: path, most: LedLayout.mostBytes),
        LayoutImport.mayHaveWritten(bytes)
      else {
        throw WriteError(
          message: "\(path): File exists, and holds more than positions; "
            + "move it, or name another graph with -o")
      }
    }
    return [(table.file, table.text)]
  }

  /// Writes a main file, after the other files in its folder.
  private func write(
    _ text: String, with files: [(name: String, text: String)]
  ) throws(WriteError) -> [String] {
    let files = files.map { (path: folder + $0.name, text: $0.text) }
    try refuseExisting([output] + files.map(\.path))
    for (path, text) in files { try write(text, to: path) }
    try write(text, to: output)
    return [output] + files.map(\.path)
  }

  private func write(_ imported: ParticleImport) throws(WriteError) -> [String] {
    guard let texture = imported.texture else {
      try write(imported.text(contents: nil), to: output)
      return [output]
    }
    let slash = output.utf8.lastIndex(of: UInt8(ascii: "/"))
    let folder = slash.map { output[..<$0].isEmpty ? "/" : String(output[..<$0]) } ?? "."
    if let path = texture.pngPath, let home = RealPath(folder)?.text,
      RealPath(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))?.text == home
    {
      // The texture is in this folder already.
      let name = path.split(separator: "/").last.map(String.init) ?? path
      try write(imported.text(contents: textureName(name)), to: output)
      return [output]
    }
    let picture = Self.stem(output) + ".png"
    try refuseExisting([output, picture])
    do throws(PictureError) {
      try texture.picture.write(path: picture, replacing: replacing)
    } catch {
      throw WriteError(message: error.message)
    }
    let name = picture.split(separator: "/").last.map(String.init) ?? picture
    do throws(WriteError) {
      try write(imported.text(contents: textureName(name)), to: output)
    } catch {
      if !replacing { unlink(picture) }
      throw error
    }
    return [output, picture]
  }

  /// Throws if files exist, unless they may be replaced. Names all of them, as --force applies to all. Called before
  /// the first write.
  private func refuseExisting(_ paths: [String]) throws(WriteError) {
    let found = replacing ? [] : paths.filter { access($0, F_OK) == 0 }
    guard let first = found.first else { return }
    let others = found.dropFirst().map { ", and over \($0)" }.joined()
    throw WriteError(message: "\(first): File exists; --force writes over it\(others)")
  }

  private func write(_ text: String, to output: String) throws(WriteError) {
    let flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK | (replacing ? O_TRUNC : O_EXCL)
    let file = open(output, flags, 0o666)
    guard file >= 0 else {
      throw WriteError(
        message: "\(output): \(String(cString: strerror(errno)))"
          + (errno == EEXIST ? "; --force writes over it" : ""))
    }
    var failure = Descriptor.write(Array(text.utf8), to: file)
    if close(file) != 0, failure == nil { failure = Errno() }
    if let failure { throw WriteError(message: "\(output): \(failure.text)") }
  }

  /// `none` and `soft` are keywords for built-in pictures, so a file of that name gets a path.
  private func textureName(_ name: String) -> String { name == "none" || name == "soft" ? "./" + name : name }

  private static func stem(_ path: String) -> String {
    guard let dot = path.utf8.lastIndex(of: UInt8(ascii: ".")) else { return path }
    if let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > dot { return path }
    return dot == path.startIndex ? path : String(path[..<dot])
  }
}
