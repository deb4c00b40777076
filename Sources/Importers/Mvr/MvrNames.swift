/// Names of an imported patch, each given once. [control]
struct MvrNames {
  private var taken: Set<String> = []
  private var numbers: [String: Int] = [:]

  /// A name of a fixture: letters, digits, spaces, - and _.
  mutating func fixture(_ name: String) -> String {
    let plain = Self.plain(name, keeping: " _-").trimmed
    return free(plain.isEmpty ? "Fixture" : String(plain.prefix(48)), "") { "\($0) no \($1)" }
  }

  /// The name of a fixture file beside the graph's.
  mutating func file(_ stem: String, _ spec: String) -> String {
    let base = spec.hasSuffix(".gdtf") ? String(spec.dropLast(5)) : spec
    let plain = Self.plain(base, keeping: "_-").lowercased()
    return free("\(stem)-\(plain.isEmpty ? "fixture" : String(plain.prefix(80)))", ".yaml") { "\($0)-\($1)" }
      + ".yaml"
  }

  /// Of a name what is harmless anywhere: begins with a letter or digit, all else is -.
  static func plain(_ name: String, keeping others: String) -> String {
    let scalars = name.unicodeScalars.map { scalar -> Character in
      let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
      return isPlain || others.unicodeScalars.contains(scalar) ? Character(scalar) : "-"
    }
    return String(scalars.drop { "- _".contains($0) })
  }

  private mutating func free(_ name: String, _ kind: String, _ next: (String, Int) -> String) -> String {
    var (result, number) = (name, numbers[kind + name] ?? 1)
    // Case counts for no fixture and no file.
    while !taken.insert(kind + result.lowercased()).inserted {
      number += 1
      result = next(name, number)
    }
    numbers[kind + name] = number
    return result
  }
}
