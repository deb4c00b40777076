import Glibc

/// Makes an input smaller for as long as the same thing is wrong with it.
struct Reduction {
  let folder: String
  /// How what is wrong begins; what follows may differ.
  let kind: String
  /// What tries one input.
  private let command: String
  private let deadline = nanoseconds(CLOCK_MONOTONIC) + 30_000_000_000

  init(folder: String, words: String, command: String = "try") {
    self.folder = folder
    self.command = command
    kind = Self.kind(of: words)
  }

  /// Complaints by their first word, signals as they are.
  static func kind(of words: String) -> String {
    words.hasPrefix("complaint: ")
      ? String(words.dropFirst(11).prefix { $0 != ":" }) : words.hasPrefix("signal") ? words : "hang"
  }

  /// The smallest that was found in half a minute; nil when it is not wrong by itself.
  func smallest(of bytes: [UInt8]) -> [UInt8]? {
    guard fails(bytes) else { return nil }
    var best = bytes.split(separator: 10, omittingEmptySubsequences: false).map { Array($0) + [10] }
    best = shrunk(best) { $0.flatMap { $0 } }
    return shrunk(best.flatMap { $0 }) { $0 }
  }

  /// Leaves out halves, quarters, … and single elements for as long as it fails.
  private func shrunk<Element>(_ list: [Element], _ join: ([Element]) -> [UInt8]) -> [Element] {
    var list = list
    var size = max(1, list.count / 2)
    while nanoseconds(CLOCK_MONOTONIC) < deadline {
      var start = 0
      var hasShrunk = false
      while start < list.count, nanoseconds(CLOCK_MONOTONIC) < deadline {
        let rest = Array(list[..<start] + list[min(list.count, start + size)...])
        if fails(join(rest)) {
          list = rest
          hasShrunk = true
        } else {
          start += size
        }
      }
      if size == 1 && !hasShrunk { break }
      if size > 1 { size /= 2 }
    }
    return list
  }

  private func fails(_ bytes: [UInt8]) -> Bool {
    let (input, output) = ("\(folder)/trying", "\(folder)/trying-output")
    guard write(bytes, to: input), let child = Child([program, command, input], output: output) else {
      return false
    }
    guard let end = child.end(within: 6) else { return kind == "hang" }
    if end.code == 0 { return false }
    let words = lines(of: output).last { $0.hasPrefix("complaint: ") } ?? end.words
    return Self.kind(of: words) == kind
  }
}

/// Writes a file.
@discardableResult
func write(_ bytes: [UInt8], to path: String) -> Bool {
  guard let file = fopen(path, "w") else { return false }
  defer { fclose(file) }
  return fwrite(bytes, 1, bytes.count, file) == bytes.count
}
