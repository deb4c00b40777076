import CYaml

/// One event of libyaml, copied from its memory.
struct YamlEvent {
  enum Content {
    case documentStart
    case scalar(String, quoted: Bool)
    case alias
    case listStart
    case mapStart
    /// The end of a list or map.
    case end
    /// The beginning or end of the stream, the end of the document.
    case other
  }

  let content: Content
  let anchored: Bool
  let tagged: Bool
  let mark: SourceRange

  init(_ event: yaml_event_t, option: String?, file: String?, mended: MendedText) {
    var anchor: UnsafeMutablePointer<yaml_char_t>?
    var tag: UnsafeMutablePointer<yaml_char_t>?
    switch event.type {
    case YAML_DOCUMENT_START_EVENT: content = .documentStart
    case YAML_ALIAS_EVENT: content = .alias
    case YAML_SCALAR_EVENT:
      let scalar = event.data.scalar
      (anchor, tag) = (scalar.anchor, scalar.tag)
      let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
      content = .scalar(
        String(decoding: bytes, as: UTF8.self), quoted: scalar.style != YAML_PLAIN_SCALAR_STYLE)
    case YAML_SEQUENCE_START_EVENT:
      (anchor, tag) = (event.data.sequence_start.anchor, event.data.sequence_start.tag)
      content = .listStart
    case YAML_MAPPING_START_EVENT:
      (anchor, tag) = (event.data.mapping_start.anchor, event.data.mapping_start.tag)
      content = .mapStart
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: content = .end
    default: content = .other
    }
    anchored = anchor != nil
    tagged = tag != nil
    mark = mended.original(SourceRange(event.start_mark, event.end_mark, option: option, file: file))
  }
}

extension SourceRange {
  init(_ start: yaml_mark_t, _ end: yaml_mark_t, option: String?, file: String?) {
    self.init(
      line: start.line + 1, column: start.column + 1, endLine: end.line + 1, endColumn: end.column + 1,
      option: option, file: file)
  }

  /// The range from the start of this one to the end of `last`.
  func through(_ last: SourceRange) -> SourceRange {
    SourceRange(
      line: line, column: column, endLine: last.endLine, endColumn: last.endColumn, option: option, file: file
    )
  }
}
