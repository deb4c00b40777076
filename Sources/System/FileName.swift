/// Names of files as text. On Linux they are bytes; those that are not UTF-8 are kept as characters of a range for private
/// use, so that a name goes through any text unharmed and leads to its file again. [any]
package enum FileName {
  /// What stands for a byte from 0x80 on that is no part of UTF-8: its last two digits are the byte.
  private static let first: UInt32 = 0x10FF80
  private static let last: UInt32 = 0x10FFFF

  /// The name that some bytes are.
  package static func text(_ bytes: [UInt8]) -> String {
    if let text = String(validating: bytes, as: UTF8.self), !isForeign(text) { return text }
    var scalars = String.UnicodeScalarView()
    var place = 0
    while place < bytes.count {
      let count = bytes[place] < 0x80 ? 1 : bytes[place] < 0xE0 ? 2 : bytes[place] < 0xF0 ? 3 : 4
      let part = bytes[place..<min(bytes.count, place + count)]
      if let character = String(validating: part, as: UTF8.self)?.unicodeScalars.first,
        byte(of: character) == nil
      {
        scalars.append(character)
        place += count
      } else {
        scalars.append(Unicode.Scalar(first - 0x80 + UInt32(bytes[place])) ?? "?")
        place += 1
      }
    }
    return String(scalars)
  }

  /// The bytes that a name is.
  package static func bytes(_ text: String) -> [UInt8] {
    guard isForeign(text) else { return Array(text.utf8) }
    return text.unicodeScalars.flatMap { scalar in byte(of: scalar).map { [$0] } ?? Array(String(scalar).utf8)
    }
  }

  /// The name as people can read it: `caf\xE9.wav`.
  package static func shown(_ text: String) -> String {
    guard isForeign(text) else { return text }
    return text.unicodeScalars.reduce(into: "") { result, scalar in
      if let byte = byte(of: scalar) {
        result += "\\x" + String(hexadecimal: byte, digits: 2, isUppercase: true)
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
  }

  /// The byte that a character stands for; nil for any other character.
  package static func byte(of scalar: Unicode.Scalar) -> UInt8? {
    (first...last).contains(scalar.value) ? UInt8(truncatingIfNeeded: scalar.value) : nil
  }

  /// Whether some of a name is not UTF-8. All that stand for bytes begin with this one, and hardly anything else does.
  package static func isForeign(_ text: String) -> Bool {
    text.utf8.contains(0xF4) && text.unicodeScalars.contains { byte(of: $0) != nil }
  }
}

extension String {
  /// The path as the system takes it: bytes with a zero behind them.
  package var systemPath: [CChar] { FileName.bytes(self).map { CChar(bitPattern: $0) } + [0] }
}

/// What the process was started with, its name first; also what is not UTF-8. [any]
package enum ProcessArguments {
  /// As names of files.
  package static var all: [String] {
    (0..<Int(CommandLine.argc)).compactMap { CommandLine.unsafeArgv[$0] }.map { argument in
      FileName.text(
        Array(UnsafeBufferPointer(start: argument, count: length(argument))).map { UInt8(bitPattern: $0) })
    }
  }

  private static func length(_ text: UnsafePointer<CChar>) -> Int {
    var count = 0
    while text[count] != 0 { count += 1 }
    return count
  }
}
