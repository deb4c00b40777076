/// A `--set` of the command line: a value of the file (`rig=10.0.0.7`) or a setting (`meter.release=1 s`).
public struct Override: Sendable {
  /// What stands before the `=`.
  public let target: String
  /// What stands behind it.
  public let value: String

  /// Makes an override.
  public init(target: String, value: String) {
    self.target = target
    self.value = value
  }

  /// Reads `TARGET=VALUE`; nil without a `=` or with nothing before it.
  public init?(_ text: String) {
    guard let equals = text.firstIndex(of: "="), equals != text.startIndex else { return nil }
    self.init(target: String(text[..<equals]), value: String(text[text.index(after: equals)...]))
  }

  /// What messages call it.
  var option: String { "--set \(plain(target))" }

  /// Where its faults are shown.
  var mark: SourceRange { SourceRange(line: 1, column: 1, endLine: 1, endColumn: 1, option: option) }

  /// Whether it is a value of the file rather than a setting of a node.
  var isValue: Bool { !target.contains(".") }

  /// The value as a scalar, or as what stands in `[ ]`, `{ }` or quotes.
  func tree(_ context: ReadContext) -> Tree? {
    guard let first = value.utf8.first, "[{\"'".utf8.contains(first) else {
      return Tree(.scalar(value, quoted: value.isEmpty), mark: mark)
    }
    let (tree, faults) = Composer.compose(SourceText(path: option, text: value), option: option)
    for fault in faults {
      var fault = fault
      fault.mark = fault.mark ?? mark
      context.report(fault)
    }
    return faults.isEmpty ? tree : nil
  }
}
