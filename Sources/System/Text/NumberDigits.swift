/// Numbers as text, independent of the locale. [any]
extension String {
  /// The shortest decimal that reads back as the same number: `80`, `0.25`, `1e+30`.
  public init(shortest number: some BinaryFloatingPoint & CustomStringConvertible) {
    let text = number.description
    self = text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// A number in hexadecimal, padded with zeros to at least `digits` digits.
  public init(hexadecimal number: some BinaryInteger, digits: Int, isUppercase: Bool = false) {
    let text = String(number, radix: 16, uppercase: isUppercase)
    self = String(repeating: "0", count: Swift.max(0, digits - text.utf8.count)) + text
  }
}
