import System

/// Returns a text as a YAML scalar: plain if it has only ASCII letters, digits, `._-/` and spaces, begins with a
/// letter, does not end with a space and is no reserved word; otherwise in double quotes.
func yamlText(_ text: String) -> String {
  let safe = text.utf8.allSatisfy {
    ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 || "._-/ ".utf8.contains($0)
  }
  // Words that graph files take as a flag or as no value.
  let reserved = ["true", "false", "yes", "no", "on", "off", "null", "none"]
  let first = text.utf8.first ?? 0x20
  if safe, (first | 0x20) &- 0x61 < 26, text.utf8.last != 0x20, !reserved.contains(text) { return text }
  return yamlQuoted(text)
}

/// Returns a text in double quotes, with YAML's escapes.
func yamlQuoted(_ text: String) -> String {
  var result = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"": result += "\\\""
    case "\\": result += "\\\\"
    case "\n": result += "\\n"
    case "\t": result += "\\t"
    default:
      // YAML takes all other scalars as they are, but not these two.
      if scalar.isSafeToShow, !(0xFFFE...0xFFFF).contains(scalar.value) {
        result.unicodeScalars.append(scalar)
      } else {
        result += "\\U" + String(hexadecimal: scalar.value, digits: 8)
      }
    }
  }
  return result + "\""
}
