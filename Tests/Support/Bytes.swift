public import Foundation

/// The bytes of a file; none if it cannot be read.
public func bytes(of path: String) -> Data { FileManager.default.contents(atPath: path) ?? Data() }

/// Describes the first difference of two files: by line, or by byte if they are not text. Nil if they are equal.
public func firstDifference(_ one: Data, _ other: Data) -> String? {
  if one == other { return nil }
  if one.contains(0) || other.contains(0) {
    let at = zip(one, other).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    guard let at else { return "\(one.count) and \(other.count) bytes" }
    return "byte \(at): \(hexadecimal(one.dropFirst(at).prefix(32))) and "
      + hexadecimal(other.dropFirst(at).prefix(32))
  }
  let a = one.split(separator: 10, omittingEmptySubsequences: false)
  let b = other.split(separator: 10, omittingEmptySubsequences: false)
  for (number, line) in a.enumerated() where number >= b.count || line != b[number] {
    let there = number < b.count ? String(decoding: b[number].prefix(300), as: UTF8.self) : "nothing"
    return "line \(number + 1): \(String(decoding: line.prefix(300), as: UTF8.self)) and \(there)"
  }
  return "\(a.count) and \(b.count) lines"
}

/// Bytes as hexadecimal digits.
public func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
  bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
}
