import Foundation

/// The bytes of a file; none when it cannot be read.
func bytes(of path: String) -> Data { FileManager.default.contents(atPath: path) ?? Data() }

/// Where two files of bytes first differ, as the line in the first; nil when they are the same.
func firstDifference(_ one: Data, _ other: Data) -> String? {
  if one == other { return nil }
  let a = one.split(separator: 10, omittingEmptySubsequences: false)
  let b = other.split(separator: 10, omittingEmptySubsequences: false)
  for (number, line) in a.enumerated() where number >= b.count || line != b[number] {
    let there = number < b.count ? String(decoding: b[number].prefix(300), as: UTF8.self) : "nothing"
    return "line \(number + 1): \(String(decoding: line.prefix(300), as: UTF8.self)) and \(there)"
  }
  return "\(a.count) and \(b.count) lines"
}
