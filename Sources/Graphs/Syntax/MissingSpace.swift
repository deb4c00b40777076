/// Recognizes `type:meter`, which YAML reads as one scalar because no space follows the colon.
enum MissingSpace {
  /// The key and the value on both sides of the colon; nil if the text has another form.
  static func parts(_ text: String) -> (key: String, value: String)? {
    guard text.utf8.count < 1000, let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let key = String(text[..<colon])
    let value = text[text.utf8.index(after: colon)...]
    guard let letter = key.utf8.first, (letter | 0x20) &- 0x61 < 26, isName(key),
      let first = value.unicodeScalars.first, first != "/", first != ":", first.value > 0x20
    else { return nil }
    return (key, String(value))
  }
}
