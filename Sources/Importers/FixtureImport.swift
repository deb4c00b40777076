import System

/// The formats of fixture files of other programs.
public enum FixtureFormat: String, Sendable, CaseIterable {
  /// XML of QLC+.
  case qxf
  /// JSON of the Open Fixture Library.
  case openFixture
  /// General Device Type Format, DIN SPEC 15800.
  case gdtf

  /// The name of the format in messages.
  public var name: String {
    switch self {
    case .qxf: "a fixture of QLC+"
    case .openFixture: "a fixture of the Open Fixture Library"
    case .gdtf: "a fixture in GDTF"
    }
  }
}

/// A fixture of another program, converted to a fixture file. [control]
public struct FixtureImport: Sendable {
  /// The format that was read.
  public let format: FixtureFormat
  /// The name of the lamp.
  public let name: String
  /// Its modes in the order of the file.
  public let modes: [String]
  /// The losses and changes of the conversion.
  public let notes: [ImportNote]
  private let source: String
  /// Writes the fixture file below a comment of these lines.
  private let body: @Sendable ([String]) -> String

  /// The most bytes of a fixture file that is read.
  static let most = 16 << 20

  /// Reads a fixture. The first bytes decide on the format, not the name; nil where it is something else. With `mode`
  /// only that mode is read, without it all are.
  ///
  /// Throws where the file is missing, broken or too large, or has no such mode.
  public static func read(path: String, mode: String? = nil) throws(ImportError) -> FixtureImport? {
    let shown = FileText.shown(path, most: 4096)
    let bytes = try InputFile.bytes(of: path, called: shown)
    return try read(bytes, path: path, called: shown, mode: mode)
  }

  /// Reads a fixture in memory.
  static func read(
    _ bytes: [UInt8], path: String, called file: String, mode: String?
  ) throws(ImportError) -> FixtureImport? {
    guard let format = try format(of: bytes, called: file) else { return nil }
    var draft: FixtureDraft
    switch format {
    case .qxf: draft = try QlcFixture.draft(of: bytes, called: file)
    case .openFixture: draft = try OpenFixture.draft(of: bytes, called: file)
    case .gdtf: draft = try GdtfFixture.draft(of: ZipArchive(bytes, called: file), called: file, mode: mode)
    }
    if draft.name.trimmed.isEmpty { draft.name = FileText.stem(of: path) }
    draft.name = FileText.shown(draft.name).trimmed
    draft.manufacturer = FileText.shown(draft.manufacturer).trimmed
    if draft.name.isEmpty { draft.name = "Fixture" }
    if let mode { try draft.keep(mode: mode, of: file) }
    draft.removeUnused()
    guard !draft.modes.isEmpty else { throw ImportError("no-modes", "\(file): has no mode with channels") }
    return FixtureImport(draft, format, source: FileText.shown(FileText.lastPart(of: path)))
  }

  private init(_ draft: FixtureDraft, _ format: FixtureFormat, source: String) {
    (self.format, self.source, name) = (format, source, draft.name)
    (modes, notes) = (draft.modes.map(\.name), draft.notes)
    let texts = draft
    body = { FixtureFileText.text(head: $0, texts) }
  }

  /// The format of some bytes; nil where they are no fixture.
  private static func format(of bytes: [UInt8], called file: String) throws(ImportError) -> FixtureFormat? {
    if ZipArchive.begins(bytes) {
      return try ZipArchive(bytes, called: file).has(GdtfFixture.entry) ? .gdtf : nil
    }
    let head = bytes.prefix(4096)
    if head.firstRange(of: Array("<FixtureDefinition".utf8)) != nil { return .qxf }
    let first = bytes.prefix(64).first { $0 > 0x20 && ![0xEF, 0xBB, 0xBF].contains($0) }
    return first == UInt8(ascii: "{") && OpenFixture.isMeant(bytes) ? .openFixture : nil
  }

  /// The text of the fixture file.
  public var text: String { body(["Imported from \(source), \(format.name)."] + noteLines) }

  /// The notes as lines under headings, for the comment on top and for the terminal.
  public var noteLines: [String] { ImportNote.lines(notes) }
}
