import Glibc

/// Makes an input smaller as long as it shows the same fault.
struct Reduction {
  let folder: String
  /// The start of the fault's text; the rest may differ.
  let kind: String
  /// The command that tries one input.
  private let command: String
  private let deadline = nanoseconds(CLOCK_MONOTONIC) + 30_000_000_000

  init(folder: String, words: String, command: String = "try") {
    self.folder = folder
    self.command = command
    kind = Self.kind(of: words)
  }

  /// The first word of a complaint, or the whole text of a signal.
  static func kind(of words: String) -> String {
    words.hasPrefix("complaint: ")
      ? String(words.dropFirst(11).prefix { $0 != ":" }) : words.hasPrefix("signal") ? words : "hang"
  }

  /// The smallest input found in half a minute; nil if the input alone shows no fault.
  func smallest(of bytes: [UInt8]) -> [UInt8]? {
    guard fails(bytes) else { return nil }
    var best = bytes.split(separator: 10, omittingEmptySubsequences: false).map { Array($0) + [10] }
    best = shrunk(best) { $0.flatMap { $0 } }
    return shrunk(best.flatMap { $0 }) { $0 }
  }

  /// Leaves out halves, quarters, … and single elements as long as the fault stays.
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
