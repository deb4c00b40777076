/// The one place that turns diagnostics into text for people.
///
/// ```text
/// sparks.yaml:12:9: error: meter.release is 70 s; it takes a number 0…60 s [out-of-range]
///  12 |   meter: { type: meter, release: 70 s }
///     |                                  ^^^^
///     = did you mean …
/// ```
public struct DiagnosticText {
  private let source: SourceText
  private let lines: Lines
  /// Those of other files, by path.
  private let others: [String: Lines]

  /// Makes text about a file, and about others that it names.
  public init(_ source: SourceText, others: [SourceText] = []) {
    self.source = source
    lines = Lines(source.bytes)
    self.others = Dictionary(
      others.map { ($0.path, Lines($0.bytes)) }, uniquingKeysWith: { first, _ in first })
  }

  /// Everything that checking found, faults first; empty when that is nothing.
  public static func text(_ checked: Checked) -> String {
    if checked.faults.isEmpty && checked.warnings.isEmpty { return "" }
    // Only of those that something is said about: there may be thousands.
    let told = Set((checked.faults + checked.warnings).compactMap(\.mark?.file))
    let text = DiagnosticText(checked.source, others: checked.others.filter { told.contains($0.path) })
    return checked.faults.map { text.text($0, .error) }.joined()
      + checked.warnings.map { text.text($0, .warning) }.joined()
  }

  /// One diagnostic, several lines, each with its end.
  public func text(_ diagnostic: Diagnostic, _ severity: Severity) -> String {
    let head = "\(place(of: diagnostic)): \(severity.rawValue): \(diagnostic.sentence) [\(diagnostic.code)]\n"
    guard let mark = diagnostic.mark, mark.option == nil, let line = lines(of: mark)?[mark.line] else {
      return head + diagnostic.notes.map { "    = \($0)\n" }.joined()
    }
    let number = String(mark.line)
    let margin = String(repeating: " ", count: max(number.utf8.count, 3) + 1)
    let gutter = String(repeating: " ", count: margin.utf8.count - 1 - number.utf8.count) + number
    let shown = ShownLine(line, mark)
    return head + " \(gutter) | \(shown.text)\n" + "\(margin) | \(shown.underline)\n"
      + diagnostic.notes.map { "\(margin) = \($0)\n" }.joined()
  }

  private func place(of diagnostic: Diagnostic) -> String {
    guard let mark = diagnostic.mark else { return plain(path: source.path) }
    return mark.option ?? "\(plain(path: mark.file ?? source.path)):\(mark.line):\(mark.column)"
  }

  private func lines(of mark: Mark) -> Lines? { mark.file.map { others[$0] } ?? lines }

  private func plain(path: String) -> String {
    String(
      path.unicodeScalars.reduce(into: String.UnicodeScalarView()) {
        $0.append($1.isSafeToShow ? $1 : "\u{FFFD}")
      })
  }
}

/// Whether a diagnostic stops the graph.
public enum Severity: String, Sendable {
  /// The graph cannot run.
  case error
  /// The graph runs, and this was hardly meant.
  case warning
}
