import Particles
import Rendering

/// A particle file of another program, converted to an emitter. [control]
public struct ParticleImport: Sendable {
  /// The format that was read.
  public let format: ParticleFormat
  /// The name in the file, else the file's name.
  public let name: String
  /// The emitter: a layer with one cell.
  public let layer: Layer
  /// The picture of the particles; nil: the built-in one.
  public let texture: ImportedTexture?
  /// The losses and changes of the conversion.
  public let notes: [ImportNote]
  /// The file's name in comments.
  public let source: String

  /// The most keys that are listed one by one.
  private static let mostListed = 200

  /// Reads a particle file and its texture. The first bytes decide on the format, not the name.
  ///
  /// Throws where the file is missing, broken or too large. With `withTexture`, also where its texture is.
  public static func read(path: String, withTexture: Bool = true) throws(ImportError) -> ParticleImport {
    let source = FileText.shown(FileText.lastPart(of: path))
    let shown = FileText.shown(path, most: 4096)
    let bytes = try InputFile.bytes(of: path, called: shown)
    var (format, values) = try values(of: bytes, called: shown)
    var notes: [ImportNote] = []
    let textures = TextureSource(file: shown, folder: FileText.folder(of: path))
    let texture = try texture(&values, format, textures, withTexture, &notes)
    var draft: EmitterDraft
    var name = FileText.stem(of: path)
    switch format {
    case .ped: draft = try EffectEmitter(&values).draft
    case .plist, .pex:
      let file = try DesignerFile(&values, format)
      name = file.name ?? name
      // The built-in picture is 32 × 32 pixels.
      let size = texture.map { ($0.picture.width, $0.picture.height) } ?? (32, 32)
      draft = DesignerEmitter(file, textureSize: size).draft
    }
    let unused = Set(values.unused)
    guard values.keys.contains(where: { !unused.contains($0) }) else {
      throw UnreadFile.refusal(shown, "no particle file, as it has none of the keys of \(format.name)")
    }
    draft.note(.changed, values.missing, "not given, so 0, as \(format.program) has it")
    notes += draft.notes.map { note in
      // Notes on what was left out or approximated name the keys that the file gives; if it gives none of them, all.
      // Notes on changed values name all.
      let given = note.kind == .changed ? [] : note.keys.filter(values.isGiven)
      return ImportNote(note.kind, (given.isEmpty ? note.keys : given).map(values.spelled), note.message)
    }
    func note(_ kind: ImportNote.Kind, _ keys: [String], _ message: String) {
      if !keys.isEmpty { notes.append(ImportNote(kind, listed(keys.map(values.spelled)), message)) }
    }
    note(.changed, values.repeated, "given more than once; the last counts")
    note(.left, values.unused, "not known to visgraph")
    var layer = draft.layer
    layer.cells = [draft.cell]
    return ParticleImport(
      format: format, name: title(name), layer: layer, texture: texture, notes: notes, source: source
    )
  }

  /// A name that is safe to show and not blank.
  private static func title(_ name: String) -> String {
    let shown = FileText.shown(name)
    return shown.allSatisfy(\.isWhitespace) ? "particles" : shown
  }

  private static func values(
    of bytes: [UInt8], called file: String
  ) throws(ImportError) -> (ParticleFormat, FileValues) {
    if BinaryPropertyList.begins(bytes) {
      return (.plist, try particleKeys(BinaryPropertyList.values(in: bytes, called: file), bytes))
    }
    let start = bytes.prefix(1024).drop { $0 <= 0x20 || [0xEF, 0xBB, 0xBF].contains($0) }
    switch start.first {
    case UInt8(ascii: "{"): return (.ped, try particleKeys(PedFile.values(in: bytes, called: file), bytes))
    // UTF-16 begins with a byte order mark.
    case UInt8(ascii: "<"), 0xFE, 0xFF:
      let root = try XmlReader.root(of: bytes, called: file)
      if root.name == PexFile.root { return (.pex, PexFile.values(in: root, called: file)) }
      if root.name == "plist" {
        return (.plist, try particleKeys(PropertyListFile.values(in: root, called: file), bytes))
      }
      if let what = UnreadFile.kind(element: root.name) { throw UnreadFile.refusal(file, what) }
      throw ImportError(
        "unknown-format",
        "\(file): begins with <\(FileText.shown(root.name))>; particle files begin with <plist> or <\(PexFile.root)>"
      )
    default:
      throw UnreadFile.refusal(file, UnreadFile.kind(bytes: bytes) ?? "no particle file")
    }
  }

  /// Returns the keys of a particle file. Throws where they belong to another kind of file.
  private static func particleKeys(_ values: FileValues, _ bytes: [UInt8]) throws(ImportError) -> FileValues {
    if let what = UnreadFile.kind(keys: values.keys, in: bytes) {
      throw UnreadFile.refusal(values.file, what)
    }
    return values
  }

  private static func texture(
    _ values: inout FileValues, _ format: ParticleFormat, _ textures: TextureSource, _ isWanted: Bool,
    _ notes: inout [ImportNote]
  ) throws(ImportError) -> ImportedTexture? {
    let key = format == .ped ? "texture" : "textureImageData"
    let name = try format == .ped ? nil : values.text("textureFileName")
    let data = values.raw(key)
    guard name != nil || data != nil else {
      notes.append(ImportNote(.changed, [key], "not given, so the built-in soft light stands in"))
      return nil
    }
    guard isWanted else {
      let keys = (name == nil ? [] : ["textureFileName"]) + (data == nil ? [] : [key])
      notes.append(ImportNote(.left, keys.map(values.spelled), "as asked; the built-in soft light stands in"))
      return nil
    }
    let texture =
      if format == .ped {
        try data.flatMap { value throws(ImportError) in try textures.texture(embedded: value, key: key) }
      } else {
        try textures.texture(name: name, data: data) { notes.append($0) }
      }
    if texture == nil {
      notes.append(
        ImportNote(.changed, [values.spelled(key)], "is empty, so the built-in soft light stands in"))
    }
    return texture
  }

  private static func listed(_ keys: [String]) -> [String] {
    keys.count <= mostListed
      ? keys : keys.prefix(mostListed) + ["and \(keys.count - mostListed) more"]
  }

  /// The emitter file. `contents` is the texture's path, relative to the emitter file's folder, if any.
  public func text(contents: String?) -> String {
    EmitterFileText.text(
      head: ["Imported from \(source), \(format.name)."] + noteLines, name: name, layer: layer,
      contents: contents)
  }

  /// The notes as lines under headings, for the comment on top and for the terminal.
  public var noteLines: [String] { ImportNote.lines(notes) }
}
