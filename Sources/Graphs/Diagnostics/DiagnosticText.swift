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

  /// Makes text about a file.
  public init(_ source: SourceText) {
    self.source = source
    lines = Lines(source.bytes)
  }

  /// Everything that checking found, faults first; empty when that is nothing.
  public static func text(_ checked: Checked) -> String {
    if checked.faults.isEmpty && checked.warnings.isEmpty { return "" }
    let text = DiagnosticText(checked.source)
    return checked.faults.map { text.text($0, .error) }.joined()
      + checked.warnings.map { text.text($0, .warning) }.joined()
  }

  /// One diagnostic, several lines, each with its end.
  public func text(_ diagnostic: Diagnostic, _ severity: Severity) -> String {
    let head = "\(place(of: diagnostic)): \(severity.rawValue): \(diagnostic.sentence) [\(diagnostic.code)]\n"
    guard let mark = diagnostic.mark, mark.option == nil, let line = lines[mark.line] else {
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
    guard let mark = diagnostic.mark else { return plainPath }
    return mark.option ?? "\(plainPath):\(mark.line):\(mark.column)"
  }

  private var plainPath: String {
    String(
      source.path.unicodeScalars.reduce(into: String.UnicodeScalarView()) {
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
