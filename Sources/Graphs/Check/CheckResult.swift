import System

/// What checking a graph file found.
public struct CheckResult: Sendable {
  /// The graph; nil when there is a fault, and for a file of settings.
  public let graph: CheckedGraph?
  /// What is wrong, in file order, what follows from other faults behind them; then what files that it names have wrong, then what the command line has.
  ///
  /// No more than `Limits.faults` of them, and then one that counts the rest.
  public let faults: [Diagnostic]
  /// What works and was hardly meant, in file order; none beside faults.
  public let warnings: [Diagnostic]
  /// The text, for showing lines of it.
  public let source: SourceText
  /// Whether it is a file of settings, such as an emitter file, which was to be checked as such.
  public let isSettingsFile: Bool
  /// The texts of other files that were read with it.
  public let others: [SourceText]
  /// The files it is made of besides itself, also those at fault: emitter files and pictures, not sounds.
  public let files: [String]
  /// Covers the keys of the file, and where they stand in it.
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
    // Beside a fault they would mostly follow from it.
    self.warnings = count == 0 ? Array(Self.sorted(warnings, order).prefix(Limits.faults)) : []
    self.source = source
  }

  /// Values that are none because a # stands before them: where that is, and what to write.
  private static func naming(comments diagnostics: [Diagnostic], _ source: SourceText) -> [Diagnostic] {
    guard diagnostics.contains(where: { $0.message.contains(" has no value;") }) else { return diagnostics }
    let lines = Lines(source.bytes)
    return diagnostics.map { fault in
      guard fault.message.contains(" has no value;"), var mark = fault.mark, mark.option == nil,
        mark.file == nil,
        let line = lines[mark.line], let (column, color) = LineText.color(in: line), column >= mark.column
      else { return fault }
      var fault = fault
      (mark.column, mark.endLine, mark.endColumn) = (column, mark.line, column + color.utf8.count)
      fault.mark = mark
      fault.notes = ["the # of \(color) begins a comment: put it in quotes, \"\(color)\""]
      return fault
    }
  }

  /// Those of the file, then those of other files, then those of the command line.
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
