import System

/// A text as a graph file writes it: bare where that is safe, else in quotes.
func yamlText(_ text: String) -> String {
  let safe = text.utf8.allSatisfy {
    ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 || "._-/ ".utf8.contains($0)
  }
  let reserved = ["true", "false", "yes", "no", "on", "off", "null", "none"]
  let first = text.utf8.first ?? 0x20
  if safe, (first | 0x20) &- 0x61 < 26, text.utf8.last != 0x20, !reserved.contains(text) { return text }
  return yamlQuoted(text)
}

/// A text in quotes, as a graph file writes it.
func yamlQuoted(_ text: String) -> String {
  var result = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"": result += "\\\""
    case "\\": result += "\\\\"
    case "\n": result += "\\n"
    case "\t": result += "\\t"
    default:
      if scalar.isSafeToShow {
        result.unicodeScalars.append(scalar)
      } else {
        result += "\\U" + String(hexadecimal: scalar.value, digits: 8)
      }
    }
  }
  return result + "\""
}
