/// What checking a graph file found.
public struct Checked: Sendable {
  /// The graph; nil when there is a fault.
  public let graph: CheckedGraph?
  /// What is wrong, in file order, and behind it what the command line has wrong.
  ///
  /// No more than `Limits.faults` of them, and then one that counts the rest.
  public let faults: [Diagnostic]
  /// What works and was hardly meant, in file order; none beside faults.
  public let warnings: [Diagnostic]
  /// The text, for showing lines of it.
  public let source: SourceText

  init(_ graph: CheckedGraph?, _ readings: [Reading], warnings: [Diagnostic], _ source: SourceText) {
    let count = readings.reduce(0) { $0 + $1.count }
    let sorted = Self.sorted(readings.flatMap(\.diagnostics))
    faults =
      count > Limits.faults
      ? sorted.prefix(Limits.faults) + [.furtherFaults(count - Limits.faults)] : sorted
    self.graph = count == 0 ? graph : nil
    // Beside a fault they would mostly follow from it.
    self.warnings = count == 0 ? Array(Self.sorted(warnings).prefix(Limits.faults)) : []
    self.source = source
  }

  private static func sorted(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
    let keyed = diagnostics.enumerated().map { index, diagnostic in
      let mark = diagnostic.mark
      return (key: (mark?.option == nil ? 0 : 1, mark?.line ?? Int.max, mark?.column ?? 0, index), diagnostic)
    }
    return keyed.sorted { $0.key < $1.key }.map(\.1)
  }
}
