import Glibc

/// Reads lines of x, y and z, one for each LED in the order of the wire, with or without a header. [control]
struct PlaceTable {
  private let file: String
  private let separator: UInt8
  /// The indices of the columns x, y and z.
  private var columns = [0, 1, 2]

  /// The most bytes of a line.
  private static let mostOfLine = 4096
  /// The largest magnitude of a number.
  private static let largest = 1e9

  private typealias Line = (number: Int, bytes: ArraySlice<UInt8>)

  /// Whether bytes look like such a table: the first line is a header with x and y, or has numbers alone.
  static func isMeant(_ bytes: [UInt8]) -> Bool {
    guard let first = lines(of: bytes, most: 1).first, first.bytes.count <= mostOfLine else { return false }
    let table = PlaceTable(first.bytes, called: "")
    let fields = table.fields(first.bytes)
    if heading(fields) != nil { return true }
    return fields.count >= 2 && fields.prefix(2).allSatisfy { table.number($0) != nil || $0.isEmpty }
      && fields.contains { !$0.isEmpty }
  }

  /// Reads the layout in a file. Throws where a line has no valid position, or there are more than `most`.
  static func draft(of bytes: [UInt8], called file: String, most: Int) throws(ImportError) -> LayoutDraft {
    var lines = lines(of: bytes, most: most + 2)[...]
    guard let first = lines.first else {
      throw ImportError("no-layout", "\(file): has no line with x and y")
    }
    var table = PlaceTable(first.bytes, called: file)
    var draft = LayoutDraft()
    let head = table.fields(first.bytes)
    if let columns = heading(head) {
      table.columns = columns
      for (place, name) in head.enumerated() where !columns.contains(place) {
        draft.note(.left, name.isEmpty ? "column \(place + 1)" : name, "a column beside x, y and z")
      }
      lines = lines.dropFirst()
    } else if head.count > 3 {
      draft.note(.left, "columns from the fourth on", "columns beside x, y and z")
    }
    guard lines.count <= most else {
      throw ImportError(
        "too-many-pixels",
        "\(file): has more than \(most) LEDs, which are too many: a node has at most \(most)")
    }
    for (led, line) in lines.enumerated() {
      draft.reserve(led + 1)
      if let place = try table.place(line) { draft.add(led, place) }
    }
    return draft
  }

  private init(_ first: ArraySlice<UInt8>, called file: String) {
    self.file = file
    let marks = [UInt8(ascii: ";"), UInt8(ascii: "\t"), UInt8(ascii: ",")]
    separator = marks.first(where: first.contains) ?? 0x20
  }

  /// The lines that are neither empty nor comments, with their numbers from 1.
  private static func lines(of bytes: [UInt8], most: Int) -> [Line] {
    var lines: [Line] = []
    var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    var number = 0
    while start < bytes.count, lines.count < most {
      let end = bytes[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
      number += 1
      let line = bytes[start..<end]
      if let first = line.first(where: { $0 > 0x20 }), first != UInt8(ascii: "#") {
        lines.append((number, line))
      }
      start = end + 1
      if start < bytes.count, bytes[end] == 0x0D, bytes[start] == 0x0A { start += 1 }
    }
    return lines
  }

  /// The fields of a line, without quotes and surrounding spaces.
  private func fields(_ line: ArraySlice<UInt8>) -> [String] {
    line.split(separator: separator, omittingEmptySubsequences: separator == 0x20).map { field in
      let text = String(decoding: field, as: UTF8.self).trimmed
      return text.utf8.count >= 2 && text.hasPrefix("\"") && text.hasSuffix("\"")
        ? String(text.dropFirst().dropLast()).trimmed : text
    }
  }

  /// The columns of x, y and z in a header, -1 for no z; nil where it is no header.
  private static func heading(_ fields: [String]) -> [Int]? {
    let names = fields.map { $0.lowercased() }
    guard let x = names.firstIndex(of: "x"), let y = names.firstIndex(of: "y") else { return nil }
    return [x, y, names.firstIndex(of: "z") ?? -1]
  }

  /// The position in a line; nil where x and y are empty.
  private func place(_ line: Line) throws(ImportError) -> LedLayout.Place? {
    guard line.bytes.count <= Self.mostOfLine else {
      throw ImportError("wrong-value", "\(file):\(line.number): has more than \(Self.mostOfLine) bytes")
    }
    let fields = fields(line.bytes)
    func text(_ axis: Int) -> String {
      fields.indices.contains(columns[axis]) ? fields[columns[axis]] : ""
    }
    if text(0).isEmpty, text(1).isEmpty { return nil }
    var numbers: [Double] = []
    for (axis, name) in ["x", "y", "z"].enumerated() {
      let text = text(axis)
      if axis == 2, text.isEmpty { break }
      guard let number = number(text) else {
        let what = text.isEmpty ? "missing" : "\"\(FileText.shown(text))\""
        throw ImportError(
          "wrong-value", "\(file):\(line.number): \(name) is \(what); a number up to ±1,000,000,000 is needed"
        )
      }
      numbers.append(number)
    }
    return LedLayout.Place(numbers[0], numbers[1], numbers.count > 2 ? numbers[2] : 0)
  }

  /// Parses a number. A comma may be the decimal separator where it does not separate fields.
  private func number(_ text: String) -> Double? {
    guard (1...64).contains(text.utf8.count) else { return nil }
    let text = separator == UInt8(ascii: ",") ? text : text.replacing(",", with: ".")
    // No hexadecimal, inf or nan.
    guard text.utf8.allSatisfy({ $0 &- 0x30 < 10 || "+-.eE".utf8.contains($0) }), let number = Double(text),
      number.magnitude <= Self.largest
    else { return nil }
    return number
  }
}
