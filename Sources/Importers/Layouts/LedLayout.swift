/// Whose layout files are read.
public enum LayoutFormat: String, Sendable, CaseIterable {
  /// A model of xLights.
  case xmodel
  /// A map of WLED.
  case ledmap
  /// Lines of x, y and z.
  case table

  /// What sentences call such a file.
  public var name: String {
    switch self {
    case .xmodel: "a model of xLights"
    case .ledmap: "a map of WLED"
    case .table: "a table of places"
    }
  }
}

/// The places of LEDs in a layout file, in the order of the wire. [control]
public struct LedLayout: Sendable {
  /// A place in the units of the file.
  public struct Place: Equatable, Sendable {
    /// To the right in tables and grids.
    public var x: Double
    /// Down in grids, and in tables as the table means it.
    public var y: Double
    /// Away from the viewer in grids, and in tables as the table means it.
    public var z = 0.0

    /// States a place.
    public init(_ x: Double, _ y: Double, _ z: Double = 0) { (self.x, self.y, self.z) = (x, y, z) }
  }

  /// Whose file it is.
  public let format: LayoutFormat
  /// What the file calls it; empty where it has no name.
  public let name: String
  /// In the order of the wire; nil is a LED that the file gives no place.
  public let places: [Place?]
  /// The bytes of a LED in their order, such as `GRB`; nil where the file does not say.
  public let colors: String?
  /// Everything of the file that the places do not hold.
  public let notes: [ImportNote]

  /// The most bytes of such a file.
  public static let mostBytes = 4 << 20

  /// Reads a layout; its first bytes, not its name, say what it is. `file` is what sentences call it, `most` the most LEDs
  /// that it may have.
  ///
  /// Throws where it is no layout, broken, or beyond all measure.
  public static func read(_ bytes: [UInt8], called file: String, most: Int) throws(ImportError) -> LedLayout {
    guard bytes.count <= mostBytes else {
      throw ImportError(
        "file-too-large", "\(file): has more than \(mostBytes >> 20) MB, the most of a layout")
    }
    guard let format = format(of: bytes) else {
      throw ImportError(
        "unknown-layout",
        "\(file): is no layout of LEDs; read are models of xLights (.xmodel), maps of WLED (ledmap.json), and .csv of x, y[, z]"
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

  /// What bytes are; nil where they are no layout.
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

  /// Whether the outermost element of XML is a model of xLights, or holds some.
  private static func isModel(_ head: ArraySlice<UInt8>) -> Bool {
    let isLetter = { (byte: UInt8) in (byte | 0x20) &- 0x61 < 26 }
    let start = zip(head.indices, zip(head, head.dropFirst())).first {
      $0.1.0 == UInt8(ascii: "<") && isLetter($0.1.1)
    }
    guard let start else { return false }
    let name = String(decoding: head[(start.0 + 1)...].prefix(while: isLetter), as: UTF8.self)
    return name == "models" || name == "xrgb" || name.hasSuffix("model")
  }

  /// Columns, rows, first corner and order of the wire where the places are those of a whole grid.
  public var grid: (columns: Int, rows: Int, start: String, order: String)? { LayoutGrid.found(places) }
}

/// A layout being read. [control]
struct LayoutDraft {
  /// What the file calls it.
  var name = ""
  /// The bytes of a LED in their order.
  var colors: String?
  private var sums: [LedLayout.Place] = []
  private var counts: [Int32] = []
  private var told = FixtureDraft()

  /// Everything of the file that is not carried over.
  var notes: [ImportNote] { told.notes }

  /// Notes that something of the file was lost or changed.
  mutating func note(_ kind: ImportNote.Kind, _ key: String, _ message: String) {
    told.note(kind, key, message)
  }

  /// Gives a LED a place, by its number on the wire from 0; of several places the LED has the mean.
  mutating func add(_ led: Int, _ place: LedLayout.Place) {
    reserve(led + 1)
    counts[led] += 1
    sums[led].x += place.x
    sums[led].y += place.y
    sums[led].z += place.z
  }

  /// Has at least so many LEDs on the wire.
  mutating func reserve(_ count: Int) {
    guard counts.count < count else { return }
    sums.append(contentsOf: repeatElement(LedLayout.Place(0, 0), count: count - sums.count))
    counts.append(contentsOf: repeatElement(0, count: count - counts.count))
  }

  /// The places, and notes of LEDs that have several or none.
  mutating func finished() -> [LedLayout.Place?] {
    note(.approximated, where: { $0 > 1 }, "several places in the file; it has the mean of them")
    note(.left, where: { $0 == 0 }, "the file gives it no place: it stays dark")
    return zip(sums, counts).map { sum, count in
      let count = Double(count)
      return count > 0 ? LedLayout.Place(sum.x / count, sum.y / count, sum.z / count) : nil
    }
  }

  /// Notes the same of the first few of some LEDs, and how many more there are.
  private mutating func note(_ kind: ImportNote.Kind, where isMeant: (Int32) -> Bool, _ message: String) {
    let leds = counts.indices.filter { isMeant(counts[$0]) }
    for led in leds.prefix(Self.mostTold) { note(kind, "LED \(led + 1)", message) }
    if leds.count > Self.mostTold { note(kind, "\(leds.count - Self.mostTold) more LEDs", message) }
  }

  /// How many LEDs a note names.
  private static let mostTold = 20

  /// A fault: more LEDs than a node may have.
  static func tooMany(_ count: Int, _ most: Int, called file: String) -> ImportError {
    ImportError(
      "too-many-pixels", "\(file): has \(count) LEDs, which are too many: a node has at most \(most)")
  }
}
