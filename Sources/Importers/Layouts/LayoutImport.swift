import System

/// An LED layout of another program, converted to a graph that lights it. [control]
public struct LayoutImport: Sendable {
  /// The layout.
  public let layout: LedLayout
  /// The table of positions, a file that the graph names; nil where the graph describes a grid.
  public let table: (file: String, text: String)?
  private let source: String
  private let name: String

  /// Reads a layout. The first bytes decide on the format, not the name; nil where it is something else. `stem`
  /// begins the names of files beside the graph, `most` is the most LEDs of a node.
  ///
  /// Throws where the file is missing, broken or too large.
  public static func read(path: String, stem: String, most: Int) throws(ImportError) -> LayoutImport? {
    let shown = FileText.shown(path, most: 4096)
    let bytes = try InputFile.bytes(of: path, called: shown)
    return try read(bytes, path: path, called: shown, stem: stem, most: most)
  }

  /// Reads a layout in memory.
  static func read(
    _ bytes: [UInt8], path: String, called file: String, stem: String, most: Int
  ) throws(ImportError) -> LayoutImport? {
    guard LedLayout.format(of: bytes) != nil else { return nil }
    let layout = try LedLayout.read(bytes, called: file, most: most)
    let isGrid = layout.grid != nil
    return LayoutImport(
      layout: layout, table: isGrid ? nil : (stem + ".csv", table(of: layout)),
      source: FileText.shown(FileText.lastPart(of: path)),
      name: layout.name.isEmpty ? FileText.shown(FileText.stem(of: path)).trimmed : layout.name)
  }

  /// Lines of x and y, and of z if it differs between LEDs. A LED without a position has empty fields.
  private static func table(of layout: LedLayout) -> String {
    let depths = Set(layout.places.compactMap { $0?.z })
    let isDeep = depths.count > 1
    let lines = layout.places.map { place in
      guard let place else { return isDeep ? ",," : "," }
      let numbers = [place.x, place.y] + (isDeep ? [place.z] : [])
      return numbers.map(Decimal.text).joined(separator: ",")
    }
    return ([isDeep ? "x,y,z" : "x,y"] + lines).joined(separator: "\n") + "\n"
  }

  /// Whether a file has the form of a table that an import writes: a heading, then numbers alone. Others hold more than
  /// positions, such as comments and names.
  public static func mayHaveWritten(_ bytes: [UInt8]) -> Bool {
    // An import that failed on a full disk leaves an empty file.
    if bytes.isEmpty { return true }
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return false }
    let numbers = Set("0123456789+-.,e\n".utf8)
    return ["x,y", "x,y,z"].contains(String(decoding: bytes[..<end], as: UTF8.self))
      && bytes[end...].allSatisfy { numbers.contains($0) }
  }

  /// The graph: particles, the LEDs that show them, and an output.
  public var text: String {
    let quoted = EmitterFileText.quoted
    let head = ["Imported from \(source), \(layout.format.name): \(layout.places.count) LEDs."] + noteLines
    let places =
      if let grid = layout.grid {
        "{ grid: \(grid.columns)x\(grid.rows), start: \(grid.start), order: \(grid.order) }"
      } else {
        "{ file: \(quoted(table?.file ?? "")) }"
      }
    // `${` would begin a variable of the graph.
    let title = name.isEmpty ? "LEDs" : name.replacing("${", with: "$ {")
    let colors = layout.colors.map { ", colors: \($0)" } ?? ""
    let lines =
      head.map { "# " + $0 } + [
        "visgraph: 1", "name: \(quoted(title))", "nodes:",
        "  on: { type: constant, value: 1 }", "  sparks:", "    type: emitter",
        "    cells: { spark: { birthRate: 80, lifetime: 3, velocity: 150, velocityRange: 100, emissionRange: 360 deg, scale: 4, color: orange } }",
        "  leds: { type: pixels, layout: \(places)\(colors) }",
        "  # The address of their controller goes here.",
        "  out: { type: ddp-output, to: 127.0.0.1 }",
        "wires: [on -> sparks, sparks.picture -> leds -> out]",
      ]
    return lines.joined(separator: "\n") + "\n"
  }

  /// The notes as lines under headings, for the comment on top and for the terminal.
  public var noteLines: [String] { ImportNote.lines(layout.notes) }
}
