/// Where the pages are, for phones: a QR code in the place of everything else.
extension ScreenText {
  /// A page and its code, in the middle; the address alone where the code has no room, the terminal no characters or
  /// colors for it, or no phone reaches the page.
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
    return (lines.prefix(max(0, rows - 1)) + [footer(status)]).map { $0.cut(to: columns) }
  }
}
