import Particles
import System

/// Writes an emitter as an emitter file: the values that differ from the defaults, in the order of the docs.
/// [control]
struct EmitterFileText {
  private var lines: [String] = []

  /// The whole file. `head` are the lines of the comment on top; `contents` is the picture's path as the file names
  /// it, if any.
  static func text(head: [String], name: String, layer: Layer, contents: String?) -> String {
    var text = EmitterFileText()
    text.lines = head.map { $0.isEmpty ? "#" : "# " + $0 } + ["visgraph-emitter: 1", "name: \(quoted(name))"]
    text.add(layer)
    text.lines.append("cells:")
    for cell in layer.cells {
      text.lines.append("  \(cell.name):")
      text.add(cell, contents: contents)
    }
    return text.lines.joined(separator: "\n") + "\n"
  }

  private mutating func add(_ layer: Layer) {
    lines.append("shape: \(layer.shape.rawValue)")
    if layer.mode != .volume { lines.append("mode: \(layer.mode.rawValue)") }
    if layer.size != Size() {
      lines.append(
        "size: { width: \(Decimal.text(layer.size.width)), height: \(Decimal.text(layer.size.height)) }")
    }
    lines.append("renderMode: \(layer.renderMode.rawValue)")
    lines.append("limit: \(layer.limit)")
    if layer.growth != .perSecond { lines.append("growth: \(layer.growth.rawValue)") }
    if layer.timing.duration.isFinite { lines.append("duration: \(Decimal.text(layer.timing.duration))") }
  }

  private mutating func add(_ cell: Cell, contents: String?) {
    let plain = Cell()
    var hasColor = false
    for number in Cell.numbers {
      if number.name.hasPrefix("color.") {
        if !hasColor { lines.append("    color: [\(Self.parts(cell.color))]") }
        hasColor = true
        continue
      }
      let value = cell[keyPath: number.path]
      guard value != plain[keyPath: number.path] else { continue }
      lines.append("    \(number.name): \(Self.written(value, number.unit))")
    }
    lines.append("    contents: \(contents.map(Self.quoted) ?? "soft")")
  }

  private static func parts(_ color: Color) -> String {
    [color.red, color.green, color.blue, color.alpha].map(Decimal.text).joined(separator: ", ")
  }

  private static func written(_ value: Double, _ unit: NumberUnit) -> String {
    // Angles are easier to read in degrees. Above two turns (13 rad) they are not, and rounding could leave the
    // range.
    unit == .radians && value.magnitude < 13
      ? Decimal.text(value * 180 / .pi) + " deg" : Decimal.text(value)
  }

  /// A string for YAML, in quotes where it could be read as something else.
  static func quoted(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy {
      ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 || "-_. ".utf8.contains($0)
    }
    let words = ["true", "false", "yes", "no", "on", "off", "null", "none", "soft"]
    if isPlain, let first = text.utf8.first, (first | 0x20) &- 0x61 < 26, text.utf8.last != 0x20,
      !words.contains(text.lowercased())
    {
      return text
    }
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      default:
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .unassigned, .privateUse, .lineSeparator, .paragraphSeparator:
          result += "\\U" + String(hexadecimal: scalar.value, digits: 8)
        default: result.unicodeScalars.append(scalar)
        }
      }
    }
    return result + "\""
  }
}
