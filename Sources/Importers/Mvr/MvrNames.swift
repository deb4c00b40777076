/// Unique names in an imported patch. [control]
struct MvrNames {
  private var taken: Set<String> = []
  private var numbers: [String: Int] = [:]

  /// A unique name for a fixture, of letters, digits, spaces, - and _.
  mutating func fixture(_ name: String) -> String {
    let plain = Self.plain(name, keeping: " _-").trimmed
    return uniqueName(plain.isEmpty ? "Fixture" : String(plain.prefix(48)), "") { "\($0) no \($1)" }
  }

  /// A unique name for a fixture file beside the graph.
  mutating func file(_ stem: String, _ spec: String) -> String {
    let base = spec.hasSuffix(".gdtf") ? String(spec.dropLast(5)) : spec
    let plain = Self.plain(base, keeping: "_-").lowercased()
    return uniqueName("\(stem)-\(plain.isEmpty ? "fixture" : String(plain.prefix(80)))", ".yaml") {
      "\($0)-\($1)"
    }
      + ".yaml"
  }

  /// Replaces all but ASCII letters, digits and `others` by -, and drops leading separators.
  static func plain(_ name: String, keeping others: String) -> String {
    let scalars = name.unicodeScalars.map { scalar -> Character in
      let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
      return isPlain || others.unicodeScalars.contains(scalar) ? Character(scalar) : "-"
    }
    return String(scalars.drop { "- _".contains($0) })
  }

  private mutating func uniqueName(_ name: String, _ kind: String, _ next: (String, Int) -> String) -> String
  {
    var (result, number) = (name, numbers[kind + name] ?? 1)
    // Names of fixtures and files are compared without case.
    while !taken.insert(kind + result.lowercased()).inserted {
      number += 1
      result = next(name, number)
    }
    numbers[kind + name] = number
    return result
  }
}
