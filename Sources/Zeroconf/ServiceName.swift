/// The names that services may have, one after the other. [any]
enum ServiceName {
  /// The most bytes of a label of DNS.
  static let longest = 63

  /// A name without what would spoil a line, cut to what a label takes.
  static func sendable(_ name: String, longest: Int = Self.longest) -> String {
    var size = 0
    let scalars = name.unicodeScalars.filter {
      !$0.properties.isDefaultIgnorableCodePoint && $0.value >= 0x20 && $0.value != 0x7F
    }
    .prefix { scalar in
      size += UTF8.width(scalar)
      return size <= longest
    }
    let text = String(String.UnicodeScalarView(scalars))
    return text.isEmpty ? "visgraph" : text
  }

  /// The name for a try, from 1 on: `Show`, `Show #2`, `Show #3`, as Avahi counts.
  static func name(_ name: String, attempt: Int) -> String {
    guard attempt > 1 else { return sendable(name) }
    let suffix = " #\(attempt)"
    return sendable(name, longest: longest - suffix.utf8.count) + suffix
  }
}
