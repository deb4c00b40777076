extension LedLayout {
  /// Reads a layout. The first bytes decide on the format, not the name. `file` is its name in messages, `most` the
  /// most LEDs that it may have.
  ///
  /// Throws where the file is no layout, broken or too large.
  public static func read(_ bytes: [UInt8], called file: String, most: Int) throws(ImportError) -> LedLayout {
    guard bytes.count <= mostBytes else {
      throw ImportError(
        "file-too-large", "\(file): has more than \(mostBytes >> 20) MB, the limit of a layout")
    }
    guard let format = format(of: bytes) else {
      throw ImportError(
        "unknown-layout",
        "\(file): is no layout of LEDs; supported: models of xLights (.xmodel), maps of WLED (ledmap.json), and .csv of x, y[, z]"
      )
    }
    var draft: LayoutDraft
    switch format {
    case .xmodel: draft = try XlightsModel.draft(of: bytes, called: file, most: most)
    case .ledmap: draft = try LedMap.draft(of: bytes, called: file, most: most)
    case .table: draft = try PlaceTable.draft(of: bytes, called: file, most: most)
    }
    let places = draft.finished()
    guard places.contains(where: { $0 != nil }) else {
      throw ImportError("no-layout", "\(file): gives no LED a place")
    }
    return LedLayout(
      format: format, name: FileText.shown(draft.name).trimmed, places: places, colors: draft.colors,
      notes: draft.notes)
  }

  /// The format of some bytes; nil where they are no layout.
  static func format(of bytes: [UInt8]) -> LayoutFormat? {
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    switch bytes[start...].prefix(4096).first(where: { $0 > 0x20 }) {
    case UInt8(ascii: "<"): return isModel(bytes.prefix(65_536)) ? .xmodel : nil
    case UInt8(ascii: "{"):
      return bytes.firstRange(of: Array("\"map\"".utf8)) != nil ? .ledmap : nil
    case nil: return nil
    default: return PlaceTable.isMeant(bytes) ? .table : nil
    }
  }

  /// Whether the root element of XML is a model of xLights, or a list of models.
  private static func isModel(_ head: ArraySlice<UInt8>) -> Bool {
    let isLetter = { (byte: UInt8) in (byte | 0x20) &- 0x61 < 26 }
    let start = zip(head.indices, zip(head, head.dropFirst())).first {
      $0.1.0 == UInt8(ascii: "<") && isLetter($0.1.1)
    }
    guard let start else { return false }
    let name = String(decoding: head[(start.0 + 1)...].prefix(while: isLetter), as: UTF8.self)
    return name == "models" || name == "xrgb" || name.hasSuffix("model")
  }

  /// The columns, rows, first corner and order of the wire, where the positions are a full grid.
  public var grid: (columns: Int, rows: Int, start: String, order: String)? { LayoutGrid.found(places) }
}
