extension CheckResult {
  /// The faults and warnings as JSON: an object with `file`, and `diagnostics` in the order of the report.
  ///
  /// Each has `severity`, `code`, `sentence`, `notes`, and a place: `line`, `column`, `endLine`, `endColumn` from 1
  /// in code points, or `option` for the command line, or neither for the file as a whole. `file` stands there if the
  /// place is in another file, which the graph names.
  public var json: Json {
    let all = faults.map { ($0, Severity.error) } + warnings.map { ($0, Severity.warning) }
    return .object([
      ("file", .string(source.path)), ("diagnostics", .array(all.map { Self.json($0, $1) })),
    ])
  }

  private static func json(_ diagnostic: Diagnostic, _ severity: Severity) -> Json {
    var pairs: [(String, Json)] = [
      ("severity", .string(severity.rawValue)), ("code", .string(diagnostic.code)),
      ("sentence", .string(diagnostic.message)),
    ]
    if let option = diagnostic.mark?.option {
      pairs.append(("option", .string(option)))
    } else if let mark = diagnostic.mark {
      if let file = mark.file { pairs.append(("file", .string(file))) }
      pairs += [
        ("line", .number(Double(mark.line))), ("column", .number(Double(mark.column))),
        ("endLine", .number(Double(mark.endLine))), ("endColumn", .number(Double(mark.endColumn))),
      ]
    }
    pairs.append(("notes", .array(diagnostic.notes.map { .string($0) })))
    return .object(pairs)
  }
}
