/// Untrusted text for a message: in quotes, cut after 60 code points, with control characters escaped.
public func quote(_ text: String) -> String {
  "\"" + plain(text) + "\""
}

/// An untrusted name for a message: cut after 60 code points, with control characters escaped.
func plain(_ text: String) -> String { plain(text, most: 60) }

/// Untrusted text, cut after `most` code points, with control characters escaped.
func plain(_ text: String, most: Int) -> String {
  var result = ""
  for (index, scalar) in text.unicodeScalars.prefix(most + 1).enumerated() {
    if index == most { return result + "…" }
    result += scalar.isSafeToShow ? String(scalar) : "\\u{" + String(scalar.value, radix: 16) + "}"
  }
  return result
}

/// A text without the spaces and tabs at its ends.
func trimmed(_ text: Substring) -> Substring {
  var bytes = text.utf8.drop { $0 == 0x20 || $0 == 0x09 }
  while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
  return Substring(bytes)
}

extension Unicode.Scalar {
  /// Whether a terminal can show it as it is: no control character, line separator or bidirectional control.
  var isSafeToShow: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: false
    default: true
    }
  }
}

/// Whether a text is a valid id: 1…64 ASCII letters, digits, `-` and `_`.
package func isName(_ text: String) -> Bool {
  (1...64).contains(text.utf8.count)
    && text.utf8.allSatisfy { ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 || $0 == 0x2D || $0 == 0x5F }
}
