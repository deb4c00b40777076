import CYaml

/// Composes the tree of a text from libyaml's events. The first syntax error ends it; other faults are collected.
final class Composer {
  private let source: SourceText
  private let option: String?
  private let file: String?
  /// The most events that the text may have.
  private let most: Int
  private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
  /// The number of events so far.
  private(set) var events = 0
  private(set) var faults: [Diagnostic] = []
  private let mended: MendedText
  /// The syntax error that ended the parse; nil if there was none.
  private var stumble: MendedText.Problem?
  /// The place of the first key that a brace or a bracket follows without a colon.
  private var keyWithBrace: SourceRange?

  /// Composes a text. `option`: the command line option that the text comes from; nil for a file.
  static func compose(_ source: SourceText, option: String? = nil) -> (tree: Tree?, faults: [Diagnostic]) {
    if let fault = invalidEncoding(source) { return (nil, [fault]) }
    let (tree, faults, _) = compose(MendedText(source), option: option, file: nil, most: Limits.events)
    return (tree, faults)
  }

  /// Composes a mended text; the slips in it are reported with the other faults.
  static func compose(_ mended: MendedText) -> (tree: Tree?, faults: [Diagnostic]) {
    if let fault = invalidEncoding(mended.source) { return (nil, [fault]) }
    let (tree, faults, _) = compose(mended, option: nil, file: nil, most: Limits.events)
    return (tree, faults)
  }

  /// Composes a text. If a slip that can be mended makes it invalid YAML, mends the slip and composes the text again.
  private static func compose(
    _ text: MendedText, option: String?, file: String?, most: Int
  ) -> (tree: Tree?, faults: [Diagnostic], events: Int) {
    var text = text
    while true {
      let composer = Composer(text, option: option, file: file, most: most)
      do throws(Diagnostic) {
        let tree = try composer.document()
        if option == nil, let key = composer.keyWithBrace, text.mendKey(at: key) { continue }
        return (tree, text.faults + composer.faults, composer.events)
      } catch {
        if option == nil, let stumble = composer.stumble, text.mend(stumble) { continue }
        return (nil, text.faults + composer.faults + [error], composer.events)
      }
    }
  }

  /// Composes a file that a graph names. Every fault names the file and has a place. `events`: before, the number of
  /// events that may be read; afterwards, the number that was read.
  static func compose(file source: SourceText, events: inout Int) -> (tree: Tree?, faults: [Diagnostic]) {
    var tree: Tree?
    var faults: [Diagnostic] = []
    if let fault = invalidEncoding(source) {
      faults = [fault]
      events = 0
    } else {
      let count: Int
      (tree, faults, count) = compose(
        MendedText(source), option: nil, file: source.path, most: events)
      events = min(count, events)
    }
    for index in faults.indices {
      var mark = faults[index].mark ?? SourceRange.start()
      mark.file = source.path
      faults[index].mark = mark
    }
    return (tree, faults)
  }

  private init(_ mended: MendedText, option: String?, file: String?, most: Int) {
    self.mended = mended
    source = mended.source
    self.option = option
    self.file = file
    self.most = most
    guard yaml_parser_initialize(parser) == 1 else { fatalError("out of memory") }
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
  }

  deinit {
    yaml_parser_delete(parser)
    parser.deallocate()
  }

  private static func invalidEncoding(_ source: SourceText) -> Diagnostic? {
    let bytes = source.bytes
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { return .utf16() }
    guard String(validating: bytes, as: UTF8.self) == nil else { return nil }
    var decoder = UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var offset = 0
    while case .valid(let scalar) = decoder.parseScalar(from: &iterator) { offset += scalar.count }
    return .notUTF8(at: Lines(bytes).place(of: offset), byte: bytes[min(offset, bytes.count - 1)])
  }

  private func document() throws(Diagnostic) -> Tree? {
    let bytes = source.bytes
    // libyaml keeps the pointer, so all parsing happens in this closure.
    let result = bytes.withUnsafeBufferPointer { text -> Result<Tree?, Diagnostic> in
      yaml_parser_set_input_string(parser, text.baseAddress, text.count)
      do throws(Diagnostic) { return .success(try wholeStream()) } catch { return .failure(error) }
    }
    return try result.get()
  }

  private func wholeStream() throws(Diagnostic) -> Tree? {
    _ = try next()
    guard case .documentStart = try next().content else { throw .emptyFile() }
    let tree = try compose(next(), depth: 0)
    _ = try next()
    let after = try next()
    if case .documentStart = after.content { throw .severalDocuments(at: after.mark) }
    return tree
  }

  /// Composes the value that begins with `event`; nil for an alias, which has been reported.
  private func compose(_ event: YamlEvent, depth: Int) throws(Diagnostic) -> Tree? {
    refuseProperties(of: event)
    switch event.content {
    case .scalar(let text, let quoted): return Tree(.scalar(text, quoted: quoted), mark: event.mark)
    case .listStart:
      try refuseDepth(depth, at: event.mark)
      return try list(from: event, depth: depth + 1)
    case .mapStart:
      try refuseDepth(depth, at: event.mark)
      return try map(from: event, depth: depth + 1)
    default: return nil
    }
  }

  private func list(from start: YamlEvent, depth: Int) throws(Diagnostic) -> Tree {
    var values: [Tree] = []
    while true {
      let event = try next()
      if case .end = event.content { return Tree(.list(values), mark: start.mark.through(event.mark)) }
      if let value = try compose(event, depth: depth) { values.append(value) }
    }
  }

  private func map(from start: YamlEvent, depth: Int) throws(Diagnostic) -> Tree {
    var pairs: [Tree.Pair] = []
    var seen: [String: Int] = [:]
    while true {
      let event = try next()
      if case .end = event.content { return Tree(.map(pairs), mark: start.mark.through(event.mark)) }
      let key = try compose(event, depth: depth)
      let value = try compose(next(), depth: depth)
      guard let key else { continue }
      if keyWithBrace == nil, case .scalar(let text, false) = key.content, Self.hasBrace(text) {
        keyWithBrace = key.mark
      }
      guard case .scalar(let name, _) = key.content else {
        faults.append(.keyIsNotText(at: event.mark))
        continue
      }
      if let line = seen[name] {
        faults.append(.duplicateKey(name, at: key.mark, firstLine: line))
        continue
      }
      seen[name] = key.mark.line
      if let value { pairs.append(Tree.Pair(key: key, value: value)) }
    }
  }

  /// Whether a brace or a bracket follows a name without a colon, as in `meter { type`.
  private static func hasBrace(_ text: String) -> Bool {
    let key = text.prefix { $0 != " " && $0 != "{" && $0 != "[" }
    let next = text.dropFirst(key.count).first { $0 != " " }
    return text.utf8.count < 1000 && (next == "{" || next == "[") && isName(String(key))
  }

  private func refuseDepth(_ depth: Int, at mark: SourceRange) throws(Diagnostic) {
    if depth >= Limits.depth { throw .tooDeep(at: mark) }
  }

  private func refuseProperties(of event: YamlEvent) {
    if case .alias = event.content { faults.append(.alias(at: event.mark)) }
    if event.anchored { faults.append(.anchor(at: event.mark)) }
    if event.tagged { faults.append(.tag(at: event.mark)) }
  }

  private func next() throws(Diagnostic) -> YamlEvent {
    events += 1
    var raw = yaml_event_t()
    guard yaml_parser_parse(parser, &raw) == 1 else { throw problem() }
    defer { yaml_event_delete(&raw) }
    let event = YamlEvent(raw, option: option, file: file, mended: mended)
    if events > most { throw .tooLong(at: event.mark, most: most) }
    return event
  }

  private func problem() -> Diagnostic {
    let parser = parser.pointee
    let words = parser.problem.map { String(cString: $0) } ?? "out of memory"
    guard parser.error == YAML_READER_ERROR else {
      func place(_ mark: yaml_mark_t) -> SourceRange { SourceRange(mark, mark, option: option, file: file) }
      let (mark, begin) = (
        place(parser.problem_mark), parser.context == nil ? nil : place(parser.context_mark)
      )
      stumble = MendedText.Problem(words: words, mark: mark, begin: begin)
      var fault = Diagnostic.syntax(words, at: mark, beganAt: begin, in: Lines(source.bytes))
      fault.mark = fault.mark.map(mended.original)
      return fault
    }
    return .unreadableCharacter(
      words, at: mended.original(Lines(source.bytes).place(of: parser.problem_offset)))
  }
}
