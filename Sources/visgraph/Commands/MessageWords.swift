import OSC

/// A message from the words of a command line.
enum MessageWords {
  /// What is wrong with the words.
  struct Fault: Error, CustomStringConvertible {
    let description: String
  }

  /// Puts a message together; `types` says what each word is, else it is guessed.
  static func packet(_ address: String, _ words: [String], types: String?) throws -> [UInt8] {
    var rest = words[...]
    var values: [Argument] = []
    for letter in types ?? String(repeating: "?", count: words.count) {
      switch letter {
      case "T": values.append(.bool(true))
      case "F": values.append(.bool(false))
      case "N": values.append(.null)
      case "I": values.append(.impulse)
      default:
        guard let text = rest.popFirst() else {
          throw Fault(description: "--types names more arguments than there are")
        }
        guard let value = Self.value(text, letter) else {
          throw Fault(description: "\(text) is no argument of type \(letter)")
        }
        values.append(value)
      }
    }
    guard rest.isEmpty else { throw Fault(description: "--types names fewer arguments than there are") }
    // A pattern is an address too, but none that anything is called by.
    let plain = String(address.map { "*?[]{},".contains($0) ? "_" : $0 })
    let packet = try Message(plain, arguments: values).packet()
    return Array(address.utf8) + packet.dropFirst(address.utf8.count)
  }

  private static func value(_ text: String, _ letter: Character) -> Argument? {
    switch letter {
    case "?":
      if let whole = Int32(text) { return .int(whole) }
      if let number = Float(text), number.isFinite, text.first != "n", text.first != "i" {
        return .float(number)
      }
      return .string(text)
    case "i": return Int32(text).map(Argument.int)
    case "h": return Int64(text).map(Argument.int64)
    case "f": return Float(text).flatMap { $0.isNaN ? nil : .float($0) }
    case "d": return Double(text).flatMap { $0.isNaN ? nil : .double($0) }
    case "s": return .string(text)
    default: return nil
    }
  }
}
