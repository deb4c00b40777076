import System

/// Numbers as emitter files write them.
enum Decimal {
  /// The shortest form that gives the same single-precision number: `80`, `0.25`, `1e+30`.
  static func text(_ number: Double) -> String {
    let narrow = Float(number)
    // Beyond single precision there is only the double.
    let text = narrow.isFinite ? String(shortest: narrow) : String(shortest: number)
    return text == "-0" ? "0" : text
  }
}
