public import Particles

/// The value of a setting between messages, faders or fades and the record that holds it. Numbers stay numbers, and
/// text of a graph file is parsed only by the record.
public enum SettingValue: Equatable, Sendable {
  /// A number in the unit of the setting.
  case number(Double)
  /// True or false.
  case flag(Bool)
  /// A color.
  case color(Color)
  /// A text without quotes or escapes; a graph file has it in quotes.
  case text(String)
  /// Values in order.
  case list([SettingValue])
  /// Text of a graph file: a word, a number with its unit, or what stands in `[ ]`, `{ }` or quotes.
  case written(String)

  /// The value as text of a graph file.
  public var text: String {
    switch self {
    case .number(let number): shortest(number)
    case .flag(let isOn): isOn.written(as: .flag)
    case .color(let color): color.written(as: .color)
    case .text(let text): yamlQuoted(text)
    case .list(let values): "[" + values.map(\.text).joined(separator: ", ") + "]"
    case .written(let text): text
    }
  }

  /// The value as it is displayed: a text without quotes and escapes, all else as text of a graph file.
  public var plainText: String {
    if case .text(let text) = self { return text }
    guard text.first == "\"" else { return text }
    return Composer.compose(SourceText(path: "", text: text), option: "").tree?.text ?? text
  }
}

extension SettingValue: ExpressibleByStringInterpolation {
  /// The value as text of a graph file.
  public init(stringLiteral text: String) { self = .written(text) }
}
