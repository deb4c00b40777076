import CQrencode

/// The address of a page for phones: a QR code instead of the show.
extension ScreenText {
  /// A page's address with its QR code, centered. The code is left out if there is no room, if the terminal has only
  /// ASCII or no colors, or if other machines cannot reach the page.
  func address(_ page: ShowStatus.Page, _ status: ShowStatus) -> [Line] {
    let what =
      page.isReachable
      ? "point the camera of a phone here" : "only this machine reaches it; see `listen` of `view`"
    let title = [Line("\(page.name): \(what)", .dim), Line(page.address, .strong)]
    var code: [Line] = []
    if page.isReachable, style.glyphs != .ascii, style.colors != .none {
      code = QrCode(page.address)?.lines ?? []
    }
    if code.count + title.count + 4 > rows || (code.first?.width ?? 0) > columns { code = [] }
    let header = header(status)
    // The code needs the rows, so the footer has its keys alone.
    let footer = footer(status).suffix(1)
    var lines = header
    let body = title + (code.isEmpty ? [] : [Line()]) + code
    let above = max(0, (rows - header.count - 1 - body.count) / 2)
    lines += Array(repeating: Line(), count: above)
    lines += body.map { line in
      var centered = Line()
      centered.fill(to: max(0, (columns - line.width) / 2))
      centered.add(line)
      return centered
    }
    while lines.count < rows - 1 { lines.append(Line()) }
    return (lines.prefix(max(0, rows - 1)) + footer).map { $0.cut(to: columns) }
  }
}

/// A text as a QR code (ISO/IEC 18004), for the camera of a phone.
struct QrCode: Equatable, Sendable {
  /// The quiet zone: light modules at each side, four as the standard requires.
  static let margin = 4

  /// Modules in a row and in a column, without the quiet zone.
  let size: Int
  /// Whether each module is dark, row by row.
  private let modules: [Bool]

  /// Encodes a text with error correction level M; nil: the text is too long.
  init?(_ text: String) {
    guard let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M) else { return nil }
    defer { QRcode_free(code) }
    size = Int(code.pointee.width)
    // libqrencode: bit 0 of a module is 1 for dark.
    modules = UnsafeBufferPointer(start: code.pointee.data, count: size * size).map { $0 & 1 == 1 }
  }

  /// Whether a module is dark; the quiet zone is light.
  func isDark(_ column: Int, _ row: Int) -> Bool {
    (0..<size).contains(column) && (0..<size).contains(row) && modules[row * size + column]
  }

  /// Two rows of modules in each line, black on white regardless of the terminal's colors.
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
