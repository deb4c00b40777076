/// Reads a ledmap of WLED: the index of the LED at each position of a matrix, row by row. [control]
enum LedMap {
  /// The indices that mean no LED; WLED keeps them in 16 bits.
  private static let none = [-1.0, 65_535]

  /// Reads the layout in a file. Throws where there is none, or it has more than `most` LEDs.
  static func draft(of bytes: [UInt8], called file: String, most: Int) throws(ImportError) -> LayoutDraft {
    let root = try JsonNode.object(in: bytes, called: file)
    guard case .array(let map)? = root["map"], !map.isEmpty else {
      throw ImportError(
        "no-layout", "\(file): has no map: a list of numbers, row after row, -1 where no LED is")
    }
    var draft = LayoutDraft()
    draft.name = (root["n"] ?? root["name"])?.text ?? ""
    let columns = try width(root, map.count, called: file)
    for (place, value) in map.enumerated() {
      guard let number = value.number, number == number.rounded() else {
        throw fault(file, place, columns, value)
      }
      if none.contains(number) { continue }
      guard number >= 0 else { throw fault(file, place, columns, value) }
      guard number < Double(most) else {
        throw LayoutDraft.tooMany(Int(min(number, 1e15)) + 1, most, called: file)
      }
      draft.add(Int(number), LedLayout.Place(Double(place % columns), Double(place / columns)))
    }
    let rows = (map.count + columns - 1) / columns
    if let height = root["height"]?.number, height != Double(rows) {
      draft.note(.changed, "height", "the map has \(rows) rows, which counts")
    }
    for pair in root.pairs where !["map", "width", "height", "n", "name"].contains(pair.key) {
      draft.note(.left, pair.key, "it says nothing of where LEDs are")
    }
    return draft
  }

  /// The columns of the matrix; without a width it is one row.
  private static func width(
    _ root: JsonNode, _ count: Int, called file: String
  ) throws(ImportError) -> Int {
    guard let node = root["width"], !node.isNull else { return count }
    guard let width = node.number, width == width.rounded(), width >= 1, width <= 1_000_000 else {
      throw ImportError(
        "wrong-value", "\(file): width is \(words(node)); a whole number of columns from 1 on is needed")
    }
    return Int(width)
  }

  private static func fault(_ file: String, _ place: Int, _ columns: Int, _ value: JsonNode) -> ImportError {
    ImportError(
      "wrong-value",
      "\(file): row \(place / columns + 1), column \(place % columns + 1) of the map is \(words(value)); "
        + "the number of a LED from 0 on is needed, or -1 where no LED is")
  }

  private static func words(_ value: JsonNode) -> String {
    switch value {
    case .map: "an object"
    case .array: "a list"
    case .string(let text): "\"\(FileText.shown(text))\""
    case .number(let number): "\(number)"
    case .bool(let flag): "\(flag)"
    case .null: "null"
    }
  }
}
