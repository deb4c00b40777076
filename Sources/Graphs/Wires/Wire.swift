/// One wire from an output port to an input port; all by index.
struct Wire {
  let from: Int
  let output: Int
  /// The channels that are picked at its start; nil: all.
  let pick: ChannelSelector?
  let to: Int
  let input: Int
  /// The channels of the port to which it leads at its end; nil: none stated.
  let place: ChannelSelector?
  let start: WireEnd
  let end: WireEnd
}

/// Reads chains of text as wires, and looks up their nodes and ports by name.
struct WireReading {
  private let drafts: [(any NodeDraft)?]
  private let ids: [String]
  private let indexes: [String: Int]
  private let broken: Set<String>
  private let context: ReadContext

  init(_ drafts: [(any NodeDraft)?], ids: [String], broken: Set<String>, _ context: ReadContext) {
    self.drafts = drafts
    self.ids = ids
    self.broken = broken
    self.context = context
    indexes = Dictionary(ids.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The wires in file order. `doubtful`: nodes to which an invalid wire may lead; no missing wire is reported there.
  func wires(_ tree: Tree?) -> (wires: [Wire], doubtful: Set<Int>) {
    guard let tree, !tree.isNothing else { return ([], []) }
    guard let list = tree.list else {
      let note = tree.text.map { $0.contains("->") ? ["write - \(plain($0))"] : [] } ?? []
      context.within("wires") {
        context.expected("a list of wires such as - song -> meter", tree, notes: note)
      }
      return ([], Set(ids.indices))
    }
    var wires: [Wire] = []
    var doubtful: Set<Int> = []
    for item in list {
      guard wires.count <= Limits.wires else {
        context.report(.tooManyWires(at: item.mark))
        break
      }
      guard let text = item.text, !item.isNothing else {
        context.report(.wireNotText(item))
        doubtful.formUnion(ids.indices)
        continue
      }
      switch WireText.ends(of: item, text: text) {
      case .failure(let fault):
        context.report(fault)
        doubtful.formUnion(mentioned(in: text))
      case .success(let ends):
        for end in ends { checkNode(end, &doubtful) }
        for (index, (start, end)) in zip(ends, ends.dropFirst()).enumerated() {
          if index > 0, start.channels != nil {
            context.report(.channelsInTheMiddle(start.text, at: start.mark))
          }
          if let wire = wire(from: start, first: index == 0, to: end, last: index == ends.count - 2) {
            wires.append(wire)
          } else if let target = indexes[end.id] {
            doubtful.insert(target)
          }
        }
      }
    }
    return (wires, doubtful)
  }

  /// The nodes whose ids occur in an invalid wire.
  private func mentioned(in text: String) -> [Int] {
    text.prefix(1000).split { !isName(String($0)) }.compactMap { indexes[String($0)] }
  }

  private func checkNode(_ end: WireEnd, _ doubtful: inout Set<Int>) {
    guard indexes[end.id] == nil, !broken.contains(end.id) else { return }
    let known = context.hasPlenty ? [] : ids
    context.report(.unknownNode(end.id, known: known, at: end.mark))
    if let meant = nearest(to: end.id, among: known).flatMap({ indexes[$0] }) { doubtful.insert(meant) }
  }

  private func wire(from start: WireEnd, first: Bool, to end: WireEnd, last: Bool) -> Wire? {
    guard let from = indexes[start.id], let to = indexes[end.id] else { return nil }
    if from == to {
      context.report(.wiredToItself(start.id, at: end.mark))
      return nil
    }
    guard let source = drafts[from], let target = drafts[to] else { return nil }
    let output = port(start, among: source.outputs.map(\.name), of: source, leaves: true, alone: first)
    let input = port(end, among: target.inputs.map(\.name), of: target, leaves: false, alone: last)
    guard let output, let input else { return nil }
    return Wire(
      from: from, output: output, pick: start.channels, to: to, input: input,
      place: last ? end.channels : nil, start: start, end: end)
  }

  /// The index of the port that an end names; nil after reporting a fault. `leaves`: the wire starts there. `alone`:
  /// the end is the first or the last of its chain. In the middle of a chain a name may be that of an input or of an
  /// output.
  private func port(
    _ end: WireEnd, among names: [String], of node: any NodeDraft, leaves: Bool, alone: Bool
  ) -> Int? {
    if names.isEmpty {
      context.report(
        leaves
          ? .noOutput(node.id, node.type.name, at: end.mark) : .noInput(node.id, node.type.name, at: end.mark)
      )
      return nil
    }
    guard let name = end.port else { return 0 }
    if let index = names.firstIndex(of: name) { return index }
    // Because of a fault in the node, its ports are unknown.
    if node.isVague { return nil }
    let others = (leaves ? node.inputs.map(\.name) : node.outputs.map(\.name))
    if !alone && others.contains(name) { return 0 }
    // In the middle of a chain both sides would report the name; only the output side does.
    if alone || leaves {
      let known = alone ? names : names + others
      context.report(
        .unknownPort(
          name, of: node.id, leaves: leaves, known: known, other: others.contains(name), at: end.mark))
    }
    return nil
  }
}

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
  /// The column of the first code point; nil if escapes in a quoted text make columns unknown.
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
        throw .openSelector(at: mark(from: position))
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
