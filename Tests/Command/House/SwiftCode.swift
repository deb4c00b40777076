/// Reads Swift source as far as the tests of the house need it: where texts and comments begin and end. A regular
/// expression cannot tell, because a text may interpolate code that has texts of its own.
///
/// Literals of regular expressions are not recognized.
struct SwiftCode {
  /// Swift without comments and with every text as `""`, followed by the code that the text interpolates.
  static func code(of text: String) -> String {
    var reader = SwiftCode(Array(text.utf8))
    reader.takeCode(isInterpolation: false)
    return String(decoding: reader.code, as: UTF8.self)
  }

  private static let quote = UInt8(ascii: "\"")
  private static let backslash = UInt8(ascii: "\\")
  private static let newline = UInt8(ascii: "\n")

  private let source: [UInt8]
  private var place = 0
  private var code: [UInt8] = []

  private init(_ source: [UInt8]) {
    self.source = source
    code.reserveCapacity(source.count)
  }

  private func begins(_ bytes: some Sequence<UInt8>) -> Bool { source.dropFirst(place).starts(with: bytes) }

  /// Takes code up to the end of the source, or past the parenthesis that ends an interpolation.
  private mutating func takeCode(isInterpolation: Bool) {
    var depth = 0
    while place < source.count {
      let byte = source[place]
      switch byte {
      case UInt8(ascii: "/") where begins("//".utf8): skipLine()
      case UInt8(ascii: "/") where begins("/*".utf8): skipComment()
      case Self.quote, UInt8(ascii: "#"): takeText()
      case UInt8(ascii: ")") where isInterpolation && depth == 0:
        place += 1
        return
      default:
        if byte == UInt8(ascii: "(") { depth += 1 }
        if byte == UInt8(ascii: ")") { depth -= 1 }
        code.append(byte)
        place += 1
      }
    }
  }

  private mutating func skipLine() {
    while place < source.count, source[place] != Self.newline { place += 1 }
  }

  /// Skips a comment with those inside it.
  private mutating func skipComment() {
    var depth = 0
    while place < source.count {
      if begins("/*".utf8) {
        depth += 1
        place += 2
      } else if begins("*/".utf8) {
        depth -= 1
        place += 2
        if depth == 0 { return }
      } else {
        place += 1
      }
    }
  }

  /// Takes a text: of one line, of several, or one whose signs `#` belong to its ends and escapes. Such signs before
  /// something else are code.
  private mutating func takeText() {
    let signs = source.dropFirst(place).prefix { $0 == UInt8(ascii: "#") }
    place += signs.count
    guard place < source.count, source[place] == Self.quote else {
      code += signs
      return
    }
    let quotes = begins("\"\"\"".utf8) ? 3 : 1
    place += quotes
    let end: [UInt8] = Array(repeating: Self.quote, count: quotes) + signs
    let escape: [UInt8] = [Self.backslash] + signs
    code += "\"\"".utf8
    while place < source.count {
      switch source[place] {
      case Self.quote where begins(end):
        place += end.count
        return
      case Self.newline where quotes == 1: return
      case Self.backslash where begins(escape):
        place += escape.count
        let isInterpolation = begins("(".utf8)
        place += 1
        if isInterpolation {
          code.append(UInt8(ascii: " "))
          takeCode(isInterpolation: true)
          code.append(UInt8(ascii: " "))
        }
      default: place += 1
      }
    }
  }
}
