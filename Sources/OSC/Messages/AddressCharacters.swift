/// Which characters an OSC address may hold: printable ASCII except those that OSC 1.0 keeps for patterns.
enum AddressCharacters {
  static func isForbidden(_ character: Character) -> Bool {
    guard let byte = character.asciiValue, byte > 0x20, byte < 0x7F, character.utf8.count == 1 else {
      return true
    }
    return "#*,?[]{}".utf8.contains(byte)
  }

  /// Checks a whole address; in a template, what is between braces is left out before.
  static func check(_ address: String) throws(OSCFault) {
    guard address.first == "/" else { throw .addressStart(address) }
    var previous: Character = " "
    var index = 0
    for character in address {
      if isForbidden(character) { throw .addressCharacter(character, at: index, in: address) }
      if character == "/", previous == "/" { throw .addressEmptyPart(at: index, in: address) }
      previous = character
      index += 1
    }
    if previous == "/" { throw .addressEmptyPart(at: index - 1, in: address) }
  }

  /// One part of an address made of any text: what is forbidden, and `/`, becomes `_`; no text becomes `_`.
  static func part(_ text: String) -> String {
    text.isEmpty ? "_" : String(text.map { $0 == "/" || isForbidden($0) ? "_" : $0 })
  }
}
