/// Text for comparison and search: lower case without accents, in UTF-8. [any]
///
/// `É`, `é` and `e` with a combining accent all become `e`; `ß` becomes `ss`, `Æ` becomes `ae`. Letters are not
/// transliterated to another script.
public enum FoldedText {
  /// Folds a text.
  public static func bytes(_ text: String) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.utf8.count)
    append(text, to: &result)
    return result
  }

  /// Folds a text and appends it.
  static func append(_ text: String, to result: inout [UInt8]) {
    for scalar in text.unicodeScalars {
      let value = scalar.value
      switch value {
      case 0..<0x80:
        let byte = UInt8(truncatingIfNeeded: value)
        result.append((0x41...0x5A).contains(byte) ? byte | 0x20 : byte)
      // Combining marks of Latin, Greek, Cyrillic, Hebrew and Arabic.
      case 0x300...0x36F, 0x591...0x5BD, 0x64B...0x65F: break
      // Fullwidth forms of ASCII.
      case 0xFF01...0xFF5E: append(String(Unicode.Scalar(UInt8(value - 0xFEE0))), to: &result)
      default:
        if let known = letters[value] {
          result += known
        } else {
          result += Array(scalar.properties.lowercaseMapping.utf8)
        }
      }
    }
  }

  /// Base letters of letters with marks, from their Unicode names: `E WITH ACUTE` becomes `E`.
  private static let letters: [UInt32: [UInt8]] = {
    let blocks: [ClosedRange<UInt32>] = [0x41...0x24F, 0x370...0x52F, 0x1E00...0x1FFF]
    let scalars = blocks.joined().compactMap(Unicode.Scalar.init)
    var named: [String: Unicode.Scalar] = [:]
    for scalar in scalars { if let name = scalar.properties.name { named[name] = scalar } }
    var result: [UInt32: [UInt8]] = [:]
    for (name, scalar) in named where scalar.value >= 0x80 {
      guard let range = name.firstRange(of: " WITH "), let base = named[String(name[..<range.lowerBound])]
      else {
        continue
      }
      result[scalar.value] = Array(base.properties.lowercaseMapping.utf8)
    }
    // Letters whose Unicode names do not contain their base letter. The Cyrillic ones become what their decomposed
    // forms become.
    let others: [Unicode.Scalar: String] = [
      "ß": "ss", "ẞ": "ss", "æ": "ae", "Æ": "ae", "œ": "oe", "Œ": "oe", "þ": "th", "Þ": "th", "ð": "d",
      "Ð": "d",
      "ı": "i", "ĳ": "ij", "Ĳ": "ij", "ſ": "s", "ς": "σ", "й": "и", "Й": "и", "ё": "е", "Ё": "е", "ї": "і",
      "Ї": "і", "ў": "у", "Ў": "у", "ќ": "к", "Ќ": "к", "ѓ": "г", "Ѓ": "г",
    ]
    for (scalar, text) in others { result[scalar.value] = Array(text.utf8) }
    return result
  }()
}
