import System

/// A JSON value that keeps the order of its keys.
public enum Json: Sendable, ReadFromJson {
  /// An object; keys in this order.
  case object([(String, Json)])
  case array([Json])
  /// A text.
  case string(String)
  /// A number; one that is not finite is written as null.
  case number(Double)
  /// True or false.
  case bool(Bool)
  /// Nothing.
  case null

  /// The value as indented text (two spaces) with a final line feed; an array of scalars stays on one line.
  public var text: String {
    var result = ""
    write(to: &result, indent: "")
    return result + "\n"
  }

  /// The value on one line without spaces, as programs exchange it.
  public var line: String {
    var result = ""
    writeLine(to: &result)
    return result
  }

  private func writeLine(to text: inout String) {
    switch self {
    case .object(let pairs):
      text += "{"
      for (index, pair) in pairs.enumerated() {
        text += "\(index > 0 ? "," : "")\(Json.quoted(pair.0)):"
        pair.1.writeLine(to: &text)
      }
      text += "}"
    case .array(let values):
      text += "["
      for (index, value) in values.enumerated() {
        if index > 0 { text += "," }
        value.writeLine(to: &text)
      }
      text += "]"
    default: write(to: &text, indent: "")
    }
  }

  private func write(to text: inout String, indent: String) {
    let inner = indent + "  "
    switch self {
    case .object(let pairs):
      if pairs.isEmpty { return text += "{}" }
      text += "{\n"
      for (index, pair) in pairs.enumerated() {
        text += "\(inner)\(Json.quoted(pair.0)): "
        pair.1.write(to: &text, indent: inner)
        text += index + 1 < pairs.count ? ",\n" : "\n"
      }
      text += "\(indent)}"
    case .array(let values):
      if values.allSatisfy(\.isScalar) {
        text += "["
        for (index, value) in values.enumerated() {
          if index > 0 { text += ", " }
          value.write(to: &text, indent: inner)
        }
        return text += "]"
      }
      text += "[\n"
      for (index, value) in values.enumerated() {
        text += inner
        value.write(to: &text, indent: inner)
        text += index + 1 < values.count ? ",\n" : "\n"
      }
      text += "\(indent)]"
    case .string(let string): text += Json.quoted(string)
    case .number(let number): text += number.isFinite ? shortest(number) : "null"
    case .bool(let flag): text += flag ? "true" : "false"
    case .null: text += "null"
    }
  }

  private var isScalar: Bool {
    switch self {
    case .object, .array: false
    default: true
    }
  }

  private static func quoted(_ string: String) -> String {
    var result = "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        result += "\\u" + String(hexadecimal: scalar.value, digits: 4)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
