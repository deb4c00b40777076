/// Where the lines of a text begin, cut where YAML cuts them.
struct Lines {
  private let bytes: [UInt8]
  private var starts = [0]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    bytes.withUnsafeBufferPointer { text in
      var index = 0
      while index < text.count {
        let length = Lines.breakLength(text, at: index)
        index += max(length, 1)
        if length > 0 { starts.append(index) }
      }
    }
  }

  /// The length in bytes of the line break at `index`; 0 where none is.
  private static func breakLength(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
    let byte = text[index]
    if byte == 0x0A { return 1 }
    if byte == 0x0D { return index + 1 < text.count && text[index + 1] == 0x0A ? 2 : 1 }
    if byte == 0xC2 { return index + 1 < text.count && text[index + 1] == 0x85 ? 2 : 0 }
    guard byte == 0xE2, index + 2 < text.count, text[index + 1] == 0x80 else { return 0 }
    return text[index + 2] == 0xA8 || text[index + 2] == 0xA9 ? 3 : 0
  }

  /// A line by its number from 1, without its end; nil past the last.
  ///
  /// Bytes that are not UTF-8 become U+FFFD.
  subscript(number: Int) -> String? {
    guard number >= 1, number <= starts.count else { return nil }
    let end = number < starts.count ? starts[number] : bytes.count
    var line = String(decoding: bytes[starts[number - 1]..<end], as: UTF8.self).unicodeScalars
    while let last = line.last, "\n\r\u{85}\u{2028}\u{2029}".unicodeScalars.contains(last) {
      line.removeLast()
    }
    return String(line)
  }

  /// The line and column of a byte.
  func mark(of offset: Int) -> Mark {
    var low = 0
    var high = starts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    let before = String(decoding: bytes[starts[low]..<min(offset, bytes.count)], as: UTF8.self)
    let column = before.unicodeScalars.count + 1
    return Mark(line: low + 1, column: column, endLine: low + 1, endColumn: column + 1)
  }
}
