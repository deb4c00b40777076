/// Writes strings as JSON strings (RFC 8259). [any]
public enum JsonText {
  /// Puts a text in quotes, and escapes quotes, backslashes and control characters below U+0020.
  public static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case _ where scalar.value < 0x20:
        result += "\\u" + String(hexadecimal: scalar.value, digits: 4)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
