public import Graphs
import Metering
import Particles

/// The byte layout of layers and cells, for a page that edits emitters without the program, such as the playground. It
/// lists the declaration and the offset of each setting, and the emitters of a graph as bytes. An offset is found by
/// changing the setting and comparing the bytes. [control]
public enum EmitterPlaces {
  /// The layout and the emitters of a graph, with its stage and frame rate.
  public static func json(_ graph: CheckedGraph) -> Json {
    let meter = Meter.Settings(), table = MeterTableNode.Settings()
    return .object([
      ("fps", .number(graph.fps.perSecond)), ("stage", stage(graph.stage)),
      ("units", units(graph)),
      (
        "meter",
        .object([
          ("attack", .number(meter.manner.attack)), ("hold", .number(meter.manner.hold)),
          ("fall", .number(meter.manner.fall)), ("scale", .number(meter.reference.scale)),
        ])
      ),
      (
        "table",
        .object([
          ("minimum", .number(table.minimum)), ("size", .number(Double(table.size))),
          ("root", .number(table.root)),
        ])
      ),
      ("layer", record(Emitter.Settings.layerBytes, Emitter.Settings.fields, Layer.numbers, Layer.place)),
      ("cell", record(CellSettings.cellBytes, CellSettings.fields, Cell.numbers, Cell.place)),
      ("tint", .array(Layer.tintPlaces.map { .number(Double($0)) })),
      ("drive", .array(Drive.fields.map(\.plain))), ("beginning", beginning),
      ("emitters", .array(graph.nodes.compactMap { emitter($0, graph) })),
    ])
  }

  private static func stage(_ stage: Stage) -> Json {
    .object([
      ("width", .number(Double(stage.width))), ("height", .number(Double(stage.height))),
      ("background", color(stage.background)),
      (
        "places",
        .array(
          (1...2).map { count in
            .array(
              (0..<count).map { channel in
                let place = stage.place(ofChannel: channel, of: count)
                return .array([.number(place.x), .number(place.y)])
              })
          })
      ),
    ])
  }

  private static func color(_ color: Color) -> Json {
    .array([color.red, color.green, color.blue, color.alpha].map { .number($0) })
  }

  /// For each unit, the factor from each of its words to the unit in which numbers are stored.
  private static func units(_ graph: CheckedGraph) -> Json {
    .object(
      Graphs.Unit.allCases.map { unit in
        let factors = unit.words.compactMap { word in
          Quantity("1 \(word)").flatMap { unit.value(of: $0, fps: graph.fps, stage: graph.stage) }
            .map { (word, Json.number($0)) }
        }
        return (unit.rawValue, .object(factors))
      })
  }

  // MARK: - Settings

  /// The settings of a layer or a cell: its initial bytes, then each number, word and flag with its offset.
  private static func record<Settings: FieldRecord, Holder: NumberHolder>(
    _ bytes: (Settings) -> [UInt8], _ fields: [Field<Settings>], _ numbers: [NumberProperty<Holder>],
    _ place: (NumberProperty<Holder>) -> Int?
  ) -> Json {
    let numberSettings = numbers.compactMap { number in
      place(number).map { at in
        Json.object([
          ("name", .string(number.name)), ("help", .string(number.help)), ("kind", number.kind.json),
          ("unit", .string(number.unit.inGraphs.rawValue)), ("place", .number(Double(at))),
          ("is", .string("number")),
        ])
      }
    }
    let otherSettings = fields.compactMap { field -> Json? in
      if numbers.contains(where: { $0.name == field.name && place($0) != nil }) { return nil }
      return location(field, bytes).map { field.described($0) }
    }
    return .object([
      ("bytes", .string(hexadecimal(bytes(Settings())))),
      ("settings", .array(numberSettings + otherSettings)),
    ])
  }

  /// The offset of a setting and the encoding of its values; nil for a setting with another encoding.
  private static func location<Settings>(_ field: Field<Settings>, _ bytes: (Settings) -> [UInt8])
    -> [(String, Json)]? where Settings: FieldRecord
  {
    let context = ReadContext(fps: FrameRate(60), stage: Stage(), folder: "")
    let initial = bytes(Settings())
    func changed(_ text: String) -> [UInt8] {
      var settings = Settings()
      if let tree = Tree.written(text) { field.read(&settings, tree, context) }
      return bytes(settings)
    }
    /// The first byte that any of the values changes.
    func place(_ texts: [String]) -> Int? {
      for text in texts {
        let bytes = changed(text)
        if let at = initial.indices.first(where: { bytes[$0] != initial[$0] }) { return at }
      }
      return nil
    }
    func place(of number: Double) -> Int? {
      let bytes = changed(shortest(number))
      let pattern = withUnsafeBytes(of: number.bitPattern.littleEndian) { Array($0) }
      return bytes.indices.dropLast(7).first { Array(bytes[$0..<$0 + 8]) == pattern }
    }
    switch field.kind {
    case .choice(let choices):
      let words = choices.map(\.word)
      guard let at = place(words) else { return nil }
      let values = words.map { ($0, Json.number(Double(changed($0)[at]))) }
      return [("place", .number(Double(at))), ("is", .string("choice")), ("values", .object(values))]
    case .flag:
      guard let at = place(["true", "false"]) else { return nil }
      return [("place", .number(Double(at))), ("is", .string("flag"))]
    case .number(_, let range, true):
      // At one end of the range, every byte of a whole number changes; the first changed byte is the lowest.
      return place([shortest(range.lowerBound), shortest(range.upperBound)]).map {
        [("place", .number(Double($0))), ("is", .string("whole"))]
      }
    case .number(_, let range, false):
      return place(of: range.upperBound).map {
        [("place", .number(Double($0))), ("is", .string("number"))]
      }
    default: return nil
    }
  }

  // MARK: - Emitters

  /// The bytes of a system in its initial state: those before its cells, and those of a cell.
  private static var beginning: Json {
    func bytes(_ layer: Layer) -> [UInt8] {
      var writer = ByteWriter()
      ParticleSystem(layer, node: "", channel: 0).code(&writer)
      return writer.bytes
    }
    var layer = Layer()
    let system = bytes(layer)
    layer.cells = [Cell()]
    return .object([
      ("system", .string(hexadecimal(system))),
      ("cell", .string(hexadecimal(Array(bytes(layer)[system.count...])))),
    ])
  }

  private static func emitter(_ node: CheckedNode, _ graph: CheckedGraph) -> Json? {
    guard let settings = node.settings(of: Emitter.self)?.all else { return nil }
    let layer = settings.model.replacingPictures { path in
      String(path.split(separator: "/").last ?? "")
    }
    let drives = settings.resolvedDrives().compactMap { $0 }.filter { $0.port == 0 }
    return .object([
      ("name", .string(node.id)),
      ("layer", .string(hexadecimal(layer.bytes))),
      ("stated", .array([.bool(settings.position.value.x != nil), .bool(settings.position.value.y != nil)])),
      ("palette", .array(settings.palette.map(color))),
      (
        "drive",
        .array(
          drives.map { drive in
            .object([
              ("key", .string(drive.number.path)),
              ("from", .array([.number(drive.map.from.0), .number(drive.map.from.1)])),
              ("to", .array([.number(drive.map.to.0), .number(drive.map.to.1)])),
              ("curve", .number(drive.map.curve)), ("clamp", .bool(drive.map.clamp)),
              ("idle", .number(Double(drive.map.idle))),
            ])
          })
      ),
    ])
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

extension Field {
  /// The declaration of the setting for a page, with further facts.
  fileprivate func described(_ more: [(String, Json)]) -> Json {
    .object([("name", .string(name)), ("help", .string(help)), ("kind", kind.json)] + more)
  }

  fileprivate var plain: Json { described([]) }
}

extension Layer {
  fileprivate var bytes: [UInt8] {
    var (copy, writer) = (self, ByteWriter())
    copy.code(&writer)
    return writer.bytes
  }

  /// The offset of a number; nil where the layer does not store it as a number.
  fileprivate static func place(_ number: NumberProperty<Layer>) -> Int? {
    place { $0[keyPath: number.path] = 0.3125 }
  }

  /// The offsets of the tint's red, green, blue and alpha.
  fileprivate static var tintPlaces: [Int] {
    [\Color.red, \.green, \.blue, \.alpha].compactMap { part in place { $0.tint[keyPath: part] = 0.3125 } }
  }

  /// The offset of the number that a change alters in a layer with one cell.
  fileprivate static func place(_ change: (inout Layer) -> Void) -> Int? {
    var layer = Layer()
    layer.cells = [Cell()]
    let before = layer.bytes
    change(&layer)
    var writer = ByteWriter()
    layer.code(&writer)
    return writer.places.first { $0 + 8 <= before.count && before[$0..<$0 + 8] != writer.bytes[$0..<$0 + 8] }
  }
}

extension Cell {
  /// The offset of the numbers of a first cell. The layer, the count of its cells and the cell's name come before them.
  fileprivate static let offset = Layer().bytes.count + 2

  fileprivate static func place(_ number: NumberProperty<Cell>) -> Int? {
    Layer.place { $0.cells[0][keyPath: number.path] = 0.3125 }.map { $0 - offset }
  }
}

extension Emitter.Settings {
  /// The bytes of the layer without its cells and their count.
  fileprivate static func layerBytes(_ settings: Self) -> [UInt8] {
    var layer = settings.model
    layer.cells = []
    return Array(layer.bytes.dropLast(4))
  }
}

extension CellSettings {
  /// The bytes of the cell between its name and its contents.
  fileprivate static func cellBytes(_ settings: Self) -> [UInt8] {
    var layer = Layer()
    layer.cells = [settings.model(named: "")]
    (layer.cells[0].contents, layer.cells[0].cells) = (.soft, [])
    return Array(layer.bytes.dropFirst(Cell.offset).dropLast(1 + 4))
  }
}
