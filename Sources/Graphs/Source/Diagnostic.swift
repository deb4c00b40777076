/// One fault of a graph file: what, where, what is allowed, what to do.
public struct Diagnostic: Error, Equatable, Sendable {
  /// Stable, kebab-case (`unknown-setting`); programs may rely on it.
  public var code: String
  /// What is wrong, in one sentence without a full stop.
  public var message: String
  /// Where; nil when it is the file as a whole.
  public var mark: SourceRange?
  /// What is allowed, and what to do, a line each.
  public var notes: [String]
  /// Whether it probably follows from another fault, behind which it is told.
  var isConsequence = false

  /// The most code points of a sentence or note; more than that nobody reads.
  private static let most = 2000

  /// Makes a diagnostic. What others have put into the texts is made safe to show: nothing in them moves the cursor.
  public init(_ code: String, _ message: String, at mark: SourceRange?, notes: [String] = []) {
    self.code = code
    self.message = Self.shown(message)
    self.mark = mark
    self.notes = notes.map(Self.shown)
  }

  /// The same without keys, also those that are at fault by being too short or too long.
  func masked(_ keys: [String], _ mask: SecretMask) -> Diagnostic {
    func masked(_ text: String) -> String {
      mask.masked(keys.reduce(text) { $0.replacing(quote($1), with: "\"\(SecretMask.cover)\"") })
    }
    var result = self
    (result.message, result.notes) = (masked(message), notes.map(masked))
    return result
  }

  private static func shown(_ text: String) -> String {
    if text.utf8.count <= most, text.utf8.allSatisfy({ $0 &- 0x20 < 0x5F }) { return text }
    if text.utf8.count <= most, text.unicodeScalars.allSatisfy(\.isSafeToShow) { return text }
    return plain(text, most: most)
  }
}

extension CheckResult {
  /// The faults and warnings for programs: an object with `file`, and `diagnostics` in the order in which they are told.
  ///
  /// Each has `severity`, `code`, `message`, `notes`, and where it stands: `line`, `column`, `endLine`, `endColumn`
  /// from 1 in code points, or `option` for the command line, or neither for the file as a whole; with `file` where it
  /// stands in another file that the graph names.
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
