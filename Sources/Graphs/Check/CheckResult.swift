import System

/// The result of checking a graph file.
public struct CheckResult: Sendable {
  /// The graph; nil if the file has a fault, or is no graph but a file of settings, of a fixture or of cues.
  public let graph: CheckedGraph?
  /// The faults, at most `Limits.faults`, then one that counts the rest.
  ///
  /// Faults of the file come first, then those of files that it names, then those of the command line. Within a file
  /// they are in file order, and faults that follow from other faults come last.
  public let faults: [Diagnostic]
  /// Warnings in file order: what works but was hardly intended. Empty if there are faults.
  public let warnings: [Diagnostic]
  /// The text of the file. Messages show lines of it.
  public let source: SourceText
  /// Whether the file was checked as an emitter file, a fixture file or a cue file, and not as a graph.
  public let isSettingsFile: Bool
  /// The texts of the other files that the graph names.
  public let others: [SourceText]
  /// The paths of the other files that the graph names, invalid ones included: files of settings and pictures, but no
  /// sounds.
  public let files: [String]
  /// The mask that hides the secret keys of the file in messages, and the places of these keys in the file.
  let secrets: (mask: SecretMask, marks: [SourceRange])

  init(
    _ graph: CheckedGraph?, _ contexts: [ReadContext], warnings: [Diagnostic], _ source: SourceText,
    _ files: GraphFileCache, isSettingsFile: Bool = false
  ) {
    self.isSettingsFile = isSettingsFile
    let count = contexts.reduce(0) { $0 + $1.count }
    let reported = count - contexts.reduce(0) { $0 + $1.hidden }
    others = files.texts
    self.files = files.paths
    let order = Dictionary(
      files.paths.enumerated().map { ($1, $0 + 1) }, uniquingKeysWith: { first, _ in first })
    let keys = contexts.flatMap(\.secrets)
    let mask = SecretMask(keys.map(\.text))
    secrets = (mask, keys.map(\.mark))
    let sorted = Self.sorted(
      Self.naming(comments: contexts.flatMap(\.diagnostics), source), order
    ).map {
      $0.masked(keys.map(\.text), mask)
    }
    faults =
      reported > Limits.faults
      ? sorted.prefix(Limits.faults) + [.furtherFaults(reported - Limits.faults)] : sorted
    self.graph = count == 0 ? graph : nil
    // Next to a fault, most warnings would only follow from it.
    self.warnings = count == 0 ? Array(Self.sorted(warnings, order).prefix(Limits.faults)) : []
    self.source = source
  }

  /// Finds values that are missing because a `#` without quotes begins a comment there, as in `background: #fff`.
  /// Moves the mark to the color, and adds a note that the color needs quotes.
  private static func naming(comments diagnostics: [Diagnostic], _ source: SourceText) -> [Diagnostic] {
    guard diagnostics.contains(where: \.isValueMissing) else { return diagnostics }
    let lines = Lines(source.bytes)
    return diagnostics.map { fault in
      guard fault.isValueMissing, var mark = fault.mark, mark.option == nil,
        mark.file == nil,
        let line = lines[mark.line], let (column, color) = LineText.color(in: line), column >= mark.column
      else { return fault }
      var fault = fault
      (mark.column, mark.endLine, mark.endColumn) = (column, mark.line, column + color.utf8.count)
      fault.mark = mark
      fault.notes = ["\(color) is read as a comment: put it in quotes, \"\(color)\""]
      return fault
    }
  }

  /// Sorts diagnostics as described at `faults`.
  private static func sorted(_ diagnostics: [Diagnostic], _ files: [String: Int]) -> [Diagnostic] {
    let keyed = diagnostics.enumerated().map { index, diagnostic in
      let mark = diagnostic.mark
      let file = mark?.option == nil ? mark?.file.flatMap { files[$0] } ?? 0 : Int.max
      let place = (diagnostic.isConsequence ? 1 : 0, mark?.line ?? Int.max, mark?.column ?? 0)
      return (key: (file, place.0, place.1, place.2, index), diagnostic)
    }
    return keyed.sorted { $0.key < $1.key }.map(\.1)
  }
}
