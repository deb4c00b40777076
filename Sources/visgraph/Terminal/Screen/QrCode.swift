import CQrencode

/// A text as a QR code (ISO/IEC 18004), for the camera of a phone.
struct QrCode: Equatable, Sendable {
  /// Light modules about it, on each side, as the standard asks for.
  static let margin = 4

  /// Modules across and down, without the margin.
  let size: Int
  /// Whether each is dark, row by row.
  private let modules: [Bool]

  /// Encodes a text, with the second of four levels of correction; nil where it is too long.
  init?(_ text: String) {
    guard let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M) else { return nil }
    defer { QRcode_free(code) }
    size = Int(code.pointee.width)
    // The lowest bit of a module is its color.
    modules = UnsafeBufferPointer(start: code.pointee.data, count: size * size).map { $0 & 1 == 1 }
  }

  /// Whether a module is dark; those of the margin are light.
  func isDark(_ column: Int, _ row: Int) -> Bool {
    (0..<size).contains(column) && (0..<size).contains(row) && modules[row * size + column]
  }

  /// Two rows of modules in each line, black on white whatever the terminal's colors are.
  var lines: [Line] {
    stride(from: -Self.margin, to: size + Self.margin, by: 2).map { row in
      let places = -Self.margin..<size + Self.margin
      let text = places.map { column in
        switch (isDark(column, row), isDark(column, row + 1)) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
      }
      var line = Line()
      line.add(text.joined(), on: .paper)
      return line
    }
  }
}
