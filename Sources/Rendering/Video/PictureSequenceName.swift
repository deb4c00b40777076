import Glibc

/// A name pattern for numbered pictures: a path whose last component has one `%d`, or `%05d` for at least five
/// digits.
public struct PictureSequenceName: Equatable, Sendable {
  /// The pattern as given.
  public let pattern: String
  /// The pattern before and after the number.
  private let before: String
  private let after: String
  /// The least number of digits.
  private let digits: Int

  /// Parses a pattern. Nil unless its last component has exactly one `%`, as `%d` or `%0Nd` with N in 1…19.
  public init?(_ pattern: String) {
    let parts = pattern.split(separator: "%", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[1].contains("/"), let end = parts[1].firstIndex(of: "d") else {
      return nil
    }
    let width = parts[1][..<end]
    if width.isEmpty {
      digits = 1
    } else {
      guard width.first == "0", width.count <= 3, width.utf8.allSatisfy({ $0 &- 0x30 < 10 }),
        let digits = Int(width), (1...19).contains(digits)
      else { return nil }
      self.digits = digits
    }
    self.pattern = pattern
    before = String(parts[0])
    after = String(parts[1][parts[1].index(after: end)...])
  }

  /// The path of a picture.
  public func path(_ number: Int64) -> String {
    let text = String(number)
    return before + String(repeating: "0", count: max(0, digits - text.utf8.count)) + text + after
  }

  /// The folder of the pictures.
  var folder: String { Self.folder(of: before) }

  /// The folder of a path.
  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The path of the existing picture with the lowest number in `numbers`; nil if there is none.
  func first(of numbers: ClosedRange<Int64>) -> String? {
    let start = before[(before.lastIndex(of: "/").map { before.index(after: $0) } ?? before.startIndex)...]
    var least: Int64?
    for name in Self.names(in: folder) {
      guard name.count > start.count + after.count, name.hasPrefix(start), name.hasSuffix(after),
        let number = Int64(name.dropFirst(start.count).dropLast(after.count)), numbers.contains(number)
      else { continue }
      // The digits must match the pattern: `7` is no name of picture 7 where names have five digits.
      guard path(number).hasSuffix(name) else { continue }
      least = min(least ?? number, number)
    }
    return least.map(path)
  }

  /// The names in a folder; empty if it cannot be read.
  static func names(in folder: String) -> [String] {
    guard let listing = opendir(folder) else { return [] }
    defer { closedir(listing) }
    var names: [String] = []
    while let entry = readdir(listing) {
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) { name in
          name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        })
    }
    return names
  }
}
