/// A change to a graph, as by `--set`: a value of the file (`rig=10.0.0.7`) or a setting (`meter.release=1 s`).
public struct Override: Sendable {
  /// The name of the value, or the path of the setting.
  public let target: String
  /// The new value.
  public let value: SettingValue

  /// Makes an override.
  public init(target: String, value: SettingValue) {
    self.target = target
    self.value = value
  }

  /// Makes an override by a value as a graph file would write it.
  public init(target: String, value: String) { self.init(target: target, value: .written(value)) }

  /// Reads `TARGET=VALUE`; nil without a `=` or with nothing before it.
  public init?(_ text: String) {
    guard let equals = text.firstIndex(of: "="), equals != text.startIndex else { return nil }
    self.init(target: String(text[..<equals]), value: String(text[text.index(after: equals)...]))
  }

  /// The option as messages show it.
  var option: String { "--set \(plain(target))" }

  /// The place at which its faults are shown.
  var mark: SourceRange { SourceRange.start(option: option) }

  /// Whether it is a value of the file rather than a setting of a node.
  var isValue: Bool { !target.contains(".") }

  /// The value as a tree: a scalar, or what YAML reads if the text begins with `[`, `{` or a quote. Faults are shown
  /// at `mark`; nil: at the option. Nil after reporting a fault.
  func tree(_ context: ReadContext, at mark: SourceRange? = nil) -> Tree? {
    tree(value, mark ?? self.mark, context)
  }

  private func tree(_ value: SettingValue, _ mark: SourceRange, _ context: ReadContext) -> Tree? {
    switch value {
    case .number(let number): return Tree(.number(number), mark: mark)
    case .flag(let isOn): return Tree(.flag(isOn), mark: mark)
    case .color(let color):
      return Tree(.list(color.components.map { Tree(.number($0), mark: mark) }), mark: mark)
    case .text(let text): return Tree(.scalar(text, quoted: true), mark: mark)
    case .list(let values):
      let trees = values.compactMap { tree($0, mark, context) }
      return trees.count == values.count ? Tree(.list(trees), mark: mark) : nil
    case .written(let text): return tree(written: text, mark, context)
    }
  }

  private func tree(written text: String, _ mark: SourceRange, _ context: ReadContext) -> Tree? {
    guard let first = text.utf8.first, "[{\"'".utf8.contains(first) else {
      return Tree(.scalar(text, quoted: text.isEmpty), mark: mark)
    }
    let (tree, faults) = Composer.compose(SourceText(path: option, text: text), option: option)
    for fault in faults {
      var fault = fault
      fault.mark = fault.mark ?? mark
      context.report(fault)
    }
    return faults.isEmpty ? tree : nil
  }
}
