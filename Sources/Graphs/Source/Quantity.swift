import Glibc

/// The shortest decimal text that is parsed as the same number, without a final `.0`.
public func shortest(_ number: Double) -> String {
  if let whole = Int(exactly: number), whole.magnitude < 1 << 53 { return String(whole) }
  return "\(number)"
}

extension Float {
  /// The number as its shortest decimal text: a float made of 0.1 gives 0.1, not 0.10000000149011612.
  public var asWritten: Double {
    let exact = Double(self)
    // Integers below 2^24 are exact. Powers of two have neighbors at unequal distances, and other magnitudes are
    // rare, so both are converted by way of text.
    if magnitude < 16_777_216, exact == exact.rounded() { return exact }
    guard (1e-6..<1e6).contains(magnitude), significandBitPattern != 0 else {
      return Double("\(self)") ?? exact
    }
    // Six significant digits of a text survive in a float (FLT_DIG), and nine identify it (FLT_DECIMAL_DIG). The
    // quotient of two integers that doubles hold exactly is the double that the decimal text is parsed as.
    let order = Int(log10(exact.magnitude).rounded(.down))
    for figures in 6..<10 {
      let power = Self.powersOfTen[figures - 1 - order]
      let number = (exact * power).rounded(.toNearestOrEven) / power
      if Float(number) == self { return number }
    }
    return exact
  }

  private static let powersOfTen: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14,
  ]
}

/// A number of a graph file with an optional unit: `250 ms`, `-6 dB`, `20 dB/s`, `0.5`.
///
/// Numbers are decimal with a point in every locale: no hexadecimal, `inf`, `nan` or `1_000`.
public struct Quantity: Equatable, Sendable {
  /// The number.
  public let number: Double
  /// The unit as written; empty without one.
  public let unit: String
  private let digits: String
  private let exponent: Int

  /// Parses a text; nil where it does not begin with a decimal number, or where a double cannot hold the number.
  public init?(_ text: String) {
    let trimmed = text.utf8.drop { $0 == 0x20 }
    var rest = trimmed[...]
    var digits = ""
    if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") {
      if rest.first == UInt8(ascii: "-") { digits = "-" }
      rest = rest.dropFirst()
    }
    let whole = rest.prefix(while: isDigit)
    rest = rest.dropFirst(whole.count)
    digits += whole.isEmpty ? "0" : String(Substring(whole))
    var fraction = rest.prefix(0)
    if rest.first == UInt8(ascii: ".") {
      fraction = rest.dropFirst().prefix(while: isDigit)
      rest = rest.dropFirst(1 + fraction.count)
      if !fraction.isEmpty { digits += "." + String(Substring(fraction)) }
    }
    guard !(whole.isEmpty && fraction.isEmpty) else { return nil }
    var exponent = 0
    if let e = rest.first, e | 0x20 == UInt8(ascii: "e") {
      var power = rest.dropFirst()
      let negative = power.first == UInt8(ascii: "-")
      if negative || power.first == UInt8(ascii: "+") { power = power.dropFirst() }
      let figures = power.prefix(while: isDigit)
      if !figures.isEmpty {
        guard let value = Int(String(Substring(figures))), value < 100_000 else { return nil }
        exponent = negative ? -value : value
        rest = power.dropFirst(figures.count)
      }
    }
    var unit = String(Substring(rest.drop { $0 == 0x20 }))
    while unit.utf8.last == 0x20 { unit.removeLast() }
    // A unit contains no digits: texts such as 1280x720, 1_000, 0x10 and 1.2.3 are no quantities.
    if let first = unit.utf8.first, isDigit(first) || "._,+-".utf8.contains(first) { return nil }
    if unit.utf8.contains(where: isDigit) { return nil }
    guard let number = Double("\(digits)e\(exponent)"), number.isFinite else { return nil }
    self.number = number
    self.unit = unit
    self.digits = digits
    self.exponent = exponent
  }

  /// Parses a time as on a clock, in seconds: `1:23`, `1:02:03.5`. The first part has no limit; the others are below
  /// 60.
  public static func clock(_ text: String) -> Quantity? { Quantity(clock: text) }

  private init?(clock text: String) {
    let text = text.utf8.drop { $0 == 0x20 }
    let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), text.count <= 40 else { return nil }
    var seconds = 0.0
    for (index, part) in parts.enumerated() {
      let isLast = index == parts.count - 1
      var figures = Substring(part)
      while isLast, figures.utf8.last == 0x20 { figures.removeLast() }
      guard let first = figures.utf8.first, isDigit(first),
        figures.utf8.allSatisfy({ isDigit($0) || isLast && $0 == UInt8(ascii: ".") }),
        let value = Double(figures), index == 0 || value < 60
      else { return nil }
      seconds = seconds * 60 + value
    }
    (number, unit, digits, exponent) = (seconds, "s", "\(seconds)", 0)
  }

  /// The number times a power of ten, rounded once: `250` shifted by -3 is the double nearest to 0.250.
  public func shifted(byPowerOfTen power: Int) -> Double {
    Double("\(digits)e\(exponent + power)") ?? number
  }
}

@inline(__always) private func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
