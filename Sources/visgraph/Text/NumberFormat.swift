import Controls
import Graphs

/// Numbers as text for users.
enum NumberFormat {
  /// The number with `digits` decimals.
  static func fixed(_ value: Double, _ digits: Int) -> String {
    guard value.isFinite, abs(value) < 1e15 else { return value.isNaN ? "?" : value < 0 ? "-inf" : "inf" }
    var scale = 1
    for _ in 0..<digits { scale *= 10 }
    let parts = Int((abs(value) * Double(scale)).rounded())
    let sign = value < 0 && parts > 0 ? "-" : ""
    guard digits > 0 else { return sign + String(parts) }
    let rest = String(parts % scale)
    return "\(sign)\(parts / scale).\(String(repeating: "0", count: digits - rest.count))\(rest)"
  }

  /// A level in dBFS in at most five columns; positive levels have a `+`.
  static func level(_ value: Float, nothing: String) -> String {
    if value.isNaN || value <= -160 { return nothing }
    let text = fixed(Double(value), value <= -99.95 ? 0 : 1)
    return value >= 0.05 ? "+" + text : text
  }

  /// Seconds with at most three decimals, without trailing zeros.
  static func seconds(_ value: Double) -> String { shortest((value * 1000).rounded() / 1000) }

  /// `M:SS`, or `H:MM:SS` from an hour on.
  static func time(_ seconds: Double) -> String { clockTime(seconds) }

  /// `1 channel`, `2 channels`.
  static func count(_ count: Int, _ word: String) -> String { "\(count) \(word)\(count == 1 ? "" : "s")" }

  /// The text, right-aligned in at least `columns` columns.
  static func right(_ text: String, _ columns: Int) -> String {
    String(repeating: " ", count: max(0, columns - DisplayedText.width(text))) + text
  }
}
