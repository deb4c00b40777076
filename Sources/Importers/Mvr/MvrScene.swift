/// A scene in My Virtual Rig format (MVR 1.6, DIN SPEC 15801), converted to a graph with a patch and to fixture
/// files. [control]
public struct MvrImport: Sendable {
  /// The losses and changes of the patch.
  public let notes: [ImportNote]
  /// The fixtures that the patch uses, with the names of their files.
  public let fixtures: [(file: String, fixture: FixtureImport)]
  private let rows: [MvrFixture.Row]
  private let source: String

  /// The archive's entry with the scene.
  static let entry = "GeneralSceneDescription.xml"
  /// The most rows of a patch, and the most fixture files.
  private static let (mostRows, mostFiles) = (1000, 128)

  /// Reads a scene; nil where the file is something else. `stem` begins the names of the fixture files.
  ///
  /// Throws where the file is missing, broken or too large, or has no fixture with an address.
  public static func read(path: String, stem: String) throws(ImportError) -> MvrImport? {
    let shown = FileText.shown(path, most: 4096)
    let bytes = try InputFile.bytes(of: path, called: shown)
    guard ZipArchive.begins(bytes) else { return nil }
    return try read(bytes, path: path, called: shown, stem: stem)
  }

  /// Reads a scene in memory.
  static func read(
    _ bytes: [UInt8], path: String, called file: String, stem: String
  ) throws(ImportError) -> MvrImport? {
    var archive = try ZipArchive(bytes, called: file)
    guard archive.has(entry) else { return nil }
    let scene = try archive.bytes(of: entry)
    let root = try XmlReader.root(of: scene, called: "\(file): \(entry)", most: XmlReader.mostOfDevice)
    guard root.name == "GeneralSceneDescription" else {
      throw ImportError("unknown-format", "\(file): \(entry) holds no scene of MVR")
    }
    var found = MvrFixtures()
    found.read(root)
    guard !found.list.isEmpty else {
      throw ImportError("no-fixtures", "\(file): has no fixture with an address and a file of its own")
    }
    let source = FileText.shown(FileText.lastPart(of: path))
    return try MvrImport(found, &archive, called: file, source: source, stem: stem)
  }

  private init(
    _ found: MvrFixtures, _ archive: inout ZipArchive, called file: String, source: String, stem: String
  ) throws(ImportError) {
    var notes = found.notes
    var (files, rows) = ([(file: String, fixture: FixtureImport)](), [MvrFixture.Row]())
    var known: [String: Int?] = [:]
    var names = MvrNames()
    for fixture in found.list.prefix(Self.mostRows) {
      if known[fixture.spec] == nil {
        known[fixture.spec] = .some(nil)
        if files.count < Self.mostFiles, let made = Self.fixture(fixture.spec, &archive, file, &notes) {
          known[fixture.spec] = files.count
          files.append((names.file(stem, fixture.spec), made))
        }
      }
      guard case .some(.some(let index)) = known[fixture.spec] else {
        notes.note(
          .left, fixture.name,
          "a fixture whose file \(FileText.shown(fixture.spec)) the archive does not have, or cannot be read")
        continue
      }
      let modes = files[index].fixture.modes
      let mode = modes.first { $0 == FixtureDraft.key(fixture.mode) } ?? modes[0]
      if mode != FixtureDraft.key(fixture.mode) {
        notes.note(.changed, fixture.name, "its mode is none of its file; \(mode) stands in")
      }
      rows.append(fixture.row(names.fixture(fixture.name), file: files[index].file, mode: mode))
    }
    if found.list.count > Self.mostRows {
      notes.note(.left, "\(found.list.count - Self.mostRows) fixtures", "beyond \(Self.mostRows)")
    }
    guard !rows.isEmpty else {
      throw ImportError("no-fixtures", "\(file): holds none of the files of its fixtures")
    }
    (self.notes, fixtures, self.rows, self.source) = (notes.notes, files, rows, source)
  }

  /// A fixture of the archive; nil, with a note, where it cannot be read.
  private static func fixture(
    _ spec: String, _ archive: inout ZipArchive, _ file: String, _ notes: inout FixtureDraft
  ) -> FixtureImport? {
    let names = [spec, spec + ".gdtf"]
    guard let name = names.first(where: archive.has) else { return nil }
    do throws(ImportError) {
      let bytes = try archive.bytes(of: name)
      return try FixtureImport.read(bytes, path: name, called: "\(file): \(FileText.shown(name))", mode: nil)
    } catch {
      notes.note(.left, FileText.shown(spec), error.message)
      return nil
    }
  }

  /// The graph: the patch, a node of lights for all fixtures, and an output.
  public var text: String {
    let quoted = EmitterFileText.quoted
    var lines = (["Imported from \(source), a scene of MVR."] + noteLines).map { "# " + $0 }
    lines += ["visgraph: 1", "patch:"]
    for row in rows {
      let groups = row.groups.isEmpty ? "" : ", groups: [\(row.groups.map(quoted).joined(separator: ", "))]"
      lines.append(
        "  - { name: \(quoted(row.name)), fixture: \(quoted(row.file)), mode: \(quoted(row.mode)), address: \(row.address)\(groups) }"
      )
    }
    let all = rows.map { quoted($0.name) }
    // A node of lights names at most 256 fixtures.
    let parts = stride(from: 0, to: all.count, by: 256).map { all[$0..<min(all.count, $0 + 256)] }
    let ids = parts.indices.map { $0 == 0 ? "lights" : "lights\($0 + 1)" }
    lines.append("nodes:")
    for (id, part) in zip(ids, parts) {
      lines += ["  \(id):", "    type: lights", "    dimmer: 0 %", "    of:"] + part.map { "      - \($0)" }
    }
    lines += [
      "  dmx: { type: sacn-output }", "wires: [\(ids.map { "\($0) -> dmx" }.joined(separator: ", "))]",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  /// The notes as lines under headings, for the comment on top and for the terminal.
  public var noteLines: [String] { ImportNote.lines(notes) }
}
