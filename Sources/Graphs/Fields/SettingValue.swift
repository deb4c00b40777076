public import Particles

/// A value of a setting on its way between messages, faders and fades and the record that holds it: numbers stay numbers, and
/// what was written stays as it was written until the record reads it.
public enum SettingValue: Equatable, Sendable {
  /// A number in the unit of the setting.
  case number(Double)
  /// True or false.
  case flag(Bool)
  /// A color.
  case color(Color)
  /// A text as it is, which a graph file has in quotes.
  case text(String)
  /// Values in order.
  case list([SettingValue])
  /// As a graph file would write it: a word, a number with its unit, or what stands in `[ ]`, `{ }` or quotes.
  case written(String)

  /// As a graph file would write it.
  public var text: String {
    switch self {
    case .number(let number): shortest(number)
    case .flag(let isOn): isOn.written(as: .flag)
    case .color(let color): color.written(as: .color)
    case .text(let text): quoted(text)
    case .list(let values): "[" + values.map(\.text).joined(separator: ", ") + "]"
    case .written(let text): text
    }
  }

  private func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
}

extension SettingValue: ExpressibleByStringInterpolation {
  /// As a graph file would write it.
  public init(stringLiteral text: String) { self = .written(text) }
}
