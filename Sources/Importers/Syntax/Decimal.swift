import System

/// Writes numbers for emitter files.
enum Decimal {
  /// The shortest text that reads back as the same single-precision number: `80`, `0.25`, `1e+30`.
  static func text(_ number: Double) -> String {
    let narrow = Float(number)
    // A number beyond single precision is written as a double.
    let text = narrow.isFinite ? String(shortest: narrow) : String(shortest: number)
    return text == "-0" ? "0" : text
  }
}
