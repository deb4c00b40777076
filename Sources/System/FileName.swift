/// Converts file names between bytes and text. On Linux they are bytes. Bytes that are not UTF-8 are mapped to
/// private-use characters, so that any name can be a text and be converted back. [any]
package enum FileName {
  /// The characters for bytes 0x80…0xFF that are not part of UTF-8; the last two hexadecimal digits are the byte.
  private static let first: UInt32 = 0x10FF80
  private static let last: UInt32 = 0x10FFFF

  /// The text for a name in bytes.
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

  /// The bytes for a name as text.
  package static func bytes(_ text: String) -> [UInt8] {
    guard isForeign(text) else { return Array(text.utf8) }
    return text.unicodeScalars.flatMap { scalar in byte(of: scalar).map { [$0] } ?? Array(String(scalar).utf8)
    }
  }

  /// The name for display, such as `caf\xE9.wav`.
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

  /// The byte that a character represents; nil for all other characters.
  package static func byte(of scalar: Unicode.Scalar) -> UInt8? {
    (first...last).contains(scalar.value) ? UInt8(truncatingIfNeeded: scalar.value) : nil
  }

  /// Whether a name has bytes that are not UTF-8. The first test is fast: the characters for bytes all begin with 0xF4
  /// in UTF-8, and hardly any others do.
  package static func isForeign(_ text: String) -> Bool {
    text.utf8.contains(0xF4) && text.unicodeScalars.contains { byte(of: $0) != nil }
  }
}

extension String {
  /// The path for system calls: its bytes, terminated by 0.
  package var systemPath: [CChar] { FileName.bytes(self).map { CChar(bitPattern: $0) } + [0] }
}

/// The arguments of the process, beginning with its name. They may have bytes that are not UTF-8. [any]
package enum ProcessArguments {
  /// The arguments as file names.
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
