/// One end of a wire as written: `id`, `id.port`, `id[1-3, Vox]`, `id.port[2]`.
struct WireEnd {
  var id = ""
  var port: String?
  var channels: ChannelSelector?
  var mark: SourceRange
  var text = ""
}

/// Reads a chain of ids: `a -> b.port -> c[2]`.
struct WireText {
  private let tree: Tree
  private let scalars: [Unicode.Scalar]
  /// The column of the first code point; nil where escapes hide which column is which.
  private let column: Int?
  private var position = 0

  /// The ends of a chain, two or more.
  static func ends(of tree: Tree, text: String) -> Result<[WireEnd], Diagnostic> {
    var reader = WireText(tree: tree, scalars: Array(text.unicodeScalars))
    do throws(Diagnostic) { return .success(try reader.ends()) } catch { return .failure(error) }
  }

  private init(tree: Tree, scalars: [Unicode.Scalar]) {
    self.tree = tree
    self.scalars = scalars
    let quotes = tree.mark.endColumn - tree.mark.column - scalars.count
    let visible = tree.mark.line == tree.mark.endLine && (quotes == 0 || quotes == 2)
    column = visible ? tree.mark.column + quotes / 2 : nil
  }

  private mutating func ends() throws(Diagnostic) -> [WireEnd] {
    var ends = [try end()]
    while true {
      skipSpace()
      if position == scalars.count { break }
      guard atArrow else { throw .wireSyntax(rest, expected: "->", at: mark(from: position)) }
      position += 2
      ends.append(try end())
      if ends.count > Limits.wires { throw .tooManyWires(at: tree.mark) }
    }
    if ends.count < 2 { throw .wireWithoutArrow(ends[0].text, at: tree.mark) }
    return ends
  }

  private mutating func end() throws(Diagnostic) -> WireEnd {
    skipSpace()
    let start = position
    var end = WireEnd(mark: tree.mark)
    end.id = word()
    if end.id.isEmpty { throw .wireSyntax(rest, expected: "the id of a node", at: mark(from: position)) }
    if peek == "." {
      position += 1
      let port = word()
      if port.isEmpty { throw .wireSyntax(rest, expected: "the name of a port", at: mark(from: position)) }
      end.port = port
    }
    if peek == "[" {
      guard let close = scalars[position...].firstIndex(of: "]") else {
        throw .wireSyntax(rest, expected: "a ] behind it", at: mark(from: position))
      }
      let inside = mark(position + 1, close)
      end.channels = ChannelSelector(string(position + 1, close), at: inside)
      position = close + 1
      if peek == "." { throw .portBehindChannels(at: mark(from: position)) }
    }
    end.mark = mark(start, position)
    end.text = string(start, position)
    return end
  }

  private mutating func word() -> String {
    let start = position
    while let scalar = peek, !" \t.[]".unicodeScalars.contains(scalar), !atArrow { position += 1 }
    return string(start, position)
  }

  private var peek: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  private var atArrow: Bool {
    peek == "-" && position + 1 < scalars.count && scalars[position + 1] == ">"
  }

  private mutating func skipSpace() {
    while let scalar = peek, scalar == " " || scalar == "\t" || scalar == "\n" { position += 1 }
  }

  private var rest: String { string(position, min(scalars.count, position + 61)) }

  private func string(_ start: Int, _ end: Int) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[start..<end])
    return String(text)
  }

  private func mark(from start: Int) -> SourceRange { mark(start, scalars.count) }

  private func mark(_ start: Int, _ end: Int) -> SourceRange {
    var mark = tree.mark
    guard let column else { return mark }
    mark.column = column + start
    mark.endColumn = column + max(end, start + 1)
    return mark
  }
}
