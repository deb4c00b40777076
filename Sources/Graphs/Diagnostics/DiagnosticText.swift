import System

/// Formats diagnostics as text for people.
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
  /// The lines of other files, by path.
  private let others: [String: Lines]
  /// The mask that hides secret keys in shown lines, and the places of these keys in the file.
  private let secrets: (mask: SecretMask, marks: [SourceRange])

  /// Makes the text of diagnostics about a file and the files that it names.
  public init(_ source: SourceText, others: [SourceText] = []) {
    self.init(source, others: others, secrets: (.unknown, []))
  }

  private init(
    _ source: SourceText, others: [SourceText], secrets: (mask: SecretMask, marks: [SourceRange])
  ) {
    self.source = source
    self.secrets = secrets
    lines = Lines(source.bytes)
    self.others = Dictionary(
      others.map { ($0.path, Lines($0.bytes)) }, uniquingKeysWith: { first, _ in first })
  }

  /// The faults, then the warnings, of a check; empty if there are none.
  public static func text(_ checked: CheckResult) -> String { texts(checked).map(\.text).joined() }

  /// The text of each fault, then of each warning, of a check.
  public static func texts(_ checked: CheckResult) -> [(text: String, severity: Severity)] {
    if checked.faults.isEmpty && checked.warnings.isEmpty { return [] }
    // Only files with diagnostics are split into lines, because a graph may name thousands of files.
    let reported = Set((checked.faults + checked.warnings).compactMap(\.mark?.file))
    let text = DiagnosticText(
      checked.source, others: checked.others.filter { reported.contains($0.path) }, secrets: checked.secrets)
    return checked.faults.map { (text.text($0, .error), .error) }
      + checked.warnings.map { (text.text($0, .warning), .warning) }
  }

  /// One diagnostic as several lines, each with a line feed.
  public func text(_ diagnostic: Diagnostic, _ severity: Severity) -> String {
    let head = "\(place(of: diagnostic)): \(severity.rawValue): \(diagnostic.message) [\(diagnostic.code)]\n"
    guard let mark = diagnostic.mark, mark.option == nil, let lines = lines(of: mark),
      let line = lines[mark.line]
    else {
      return head + diagnostic.notes.map { "    = \($0)\n" }.joined()
    }
    let number = String(mark.line)
    let margin = String(repeating: " ", count: max(number.utf8.count, 3) + 1)
    let gutter = String(repeating: " ", count: margin.utf8.count - 1 - number.utf8.count) + number
    let own = mark.file == nil ? secrets.marks.filter { $0.file == nil && $0.option == nil } : []
    let hidden = KeyedLine.ranges(mark.line, of: lines, marks: own, secrets.mask)
    let shown = ShownLine(line, mark, hiding: hidden)
    return head + " \(gutter) | \(shown.text)\n" + "\(margin) | \(shown.underline)\n"
      + diagnostic.notes.map { "\(margin) = \($0)\n" }.joined()
  }

  private func place(of diagnostic: Diagnostic) -> String {
    guard let mark = diagnostic.mark else { return plain(path: source.path) }
    return mark.option ?? "\(plain(path: mark.file ?? source.path)):\(mark.line):\(mark.column)"
  }

  private func lines(of mark: SourceRange) -> Lines? { mark.file.map { others[$0] } ?? lines }

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
  /// The graph runs, but this was hardly intended.
  case warning
}

/// A line of a file as a terminal shows it, and the line with carets below the marked part.
struct ShownLine {
  /// The line, with tabs as spaces and without control characters. A long line is cut so that the marked part is
  /// shown.
  var text = ""
  /// Spaces and carets.
  var underline = ""

  /// The number of code points that are shown of a long line.
  private static let most = 100

  /// Makes the lines for `mark`; `hidden` has the ranges of code points that the mask covers.
  init(_ line: String, _ mark: SourceRange, hiding hidden: [Range<Int>]) {
    let masked = MaskedLine(Array(line.unicodeScalars), hiding: hidden)
    let scalars = Array(masked.text.unicodeScalars)
    let first = min(masked.column(mark.column - 1, isEnd: false), scalars.count)
    let end = masked.column(mark.endColumn - 1, isEnd: true)
    let last = mark.endLine == mark.line ? min(end, scalars.count) : scalars.count
    var start = 0
    if first > Self.most * 3 / 4 { start = first - Self.most / 2 }
    let stop = min(scalars.count, start + Self.most)
    if start > 0 { add("…", width: 1, pointed: false) }
    for index in start..<stop {
      add(scalars[index], pointed: index >= first && index < max(last, first + 1))
    }
    if stop < scalars.count { text += "…" }
    while underline.hasSuffix(" ") { underline.removeLast() }
    if !underline.contains("^") {
      underline = String(repeating: " ", count: Self.width(of: text)) + "^"
    }
    while text.hasSuffix(" ") { text.removeLast() }
  }

  private mutating func add(_ scalar: Unicode.Scalar, pointed: Bool) {
    if scalar == "\t" {
      let column = Self.width(of: text)
      let width = 4 - column % 4
      add(String(repeating: " ", count: width), width: width, pointed: pointed)
    } else if scalar.isSafeToShow {
      add(String(scalar), width: scalar.displayWidth, pointed: pointed)
    } else {
      add("\u{FFFD}", width: 1, pointed: pointed)
    }
  }

  private mutating func add(_ string: String, width: Int, pointed: Bool) {
    text.unicodeScalars += string.unicodeScalars
    underline += String(repeating: pointed ? "^" : " ", count: width)
  }

  private static func width(of text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + $1.displayWidth }
  }
}
