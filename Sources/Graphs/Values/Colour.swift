/// A colour: red, green, blue and alpha, each 0…1, as sRGB writes them (not linear light).
public struct Colour: Hashable, FieldValue {
  /// 0…1.
  public var red: Double
  /// 0…1.
  public var green: Double
  /// 0…1.
  public var blue: Double
  /// 0 is clear, 1 is solid.
  public var alpha: Double

  /// Makes a colour.
  public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  /// Reads a colour as CSS writes them: a name, `#RGB`, `#RGBA`, `#RRGGBB`, `#RRGGBBAA`, `rgb()` or `hsl()`; nil when it
  /// is none of them.
  public init?(_ text: String) {
    if text == "transparent" {
      self.init(red: 0, green: 0, blue: 0, alpha: 0)
    } else if let value = ColourNames.values[text.lowercased()] {
      self.init(bits: value << 8 | 0xFF)
    } else if text.utf8.first == UInt8(ascii: "#") {
      let digits = text.utf8.dropFirst()
      guard [3, 4, 6, 8].contains(digits.count), digits.first != UInt8(ascii: "+"),
        var value = UInt32(String(Substring(digits)), radix: 16)
      else { return nil }
      // One figure stands for two of it.
      if digits.count < 6 {
        value = (0..<digits.count).reduce(0) { $0 | (value >> UInt32(4 * $1) & 15) * 17 << UInt32(8 * $1) }
      }
      self.init(bits: digits.count % 4 == 0 ? value : value << 8 | 0xFF)
    } else {
      guard let colour = ColourFunction(text)?.colour else { return nil }
      self = colour
    }
  }

  private init(bits: UInt32) {
    func part(_ shift: UInt32) -> Double { Double(bits >> shift & 0xFF) / 255 }
    self.init(red: part(24), green: part(16), blue: part(8), alpha: part(0))
  }

  /// Red, green, blue, alpha.
  public var components: [Double] { [red, green, blue, alpha] }

  /// The kind when a declaration names none.
  public static var kind: Kind { .colour }

  /// Reads it; when it is at fault that goes to `reading`, and the result is nil. [control]
  public static func read(_ tree: Tree, as kind: Kind, _ reading: Reading) -> Colour? {
    if let list = tree.list, list.count == 3 || list.count == 4 {
      if let fault = partsOf255(list, reading.subject) {
        reading.report(fault)
        return nil
      }
      let parts = list.compactMap { reading.number($0, .ratio, in: 0...1) }
      guard parts.count == list.count else { return nil }
      return Colour(red: parts[0], green: parts[1], blue: parts[2], alpha: parts.count == 4 ? parts[3] : 1)
    }
    guard let text = tree.text, !tree.isNothing else {
      let note = tree.isNothing ? ["a # begins a comment: put the colour in quotes"] : []
      reading.expected(kind.words, tree, notes: note)
      return nil
    }
    if let colour = Colour(text) { return colour }
    reading.report(
      .unknownColour(
        reading.subject, text, takes: kind.words, notes: ColourFunction.hints(text), at: tree.mark))
    return nil
  }

  /// A fault that helps whoever writes parts of 255 in a list.
  private static func partsOf255(_ list: [Tree], _ subject: String) -> Diagnostic? {
    let numbers = list.compactMap { $0.text.flatMap { Double($0) } }
    guard numbers.count == list.count, numbers.allSatisfy({ (0...255).contains($0) }),
      let large = numbers.firstIndex(where: { $0 > 1 })
    else { return nil }
    let figures = numbers.prefix(3).map(shortest).joined(separator: " ")
    let alpha = numbers.count == 4 ? " / \(shortest(numbers[3]))" : ""
    var fault = Diagnostic.outOfRange(
      subject, shortest(numbers[large]), takes: Kind.number(.ratio, 0...1).words, at: list[large].mark)
    fault.notes = ["for parts of 255 write rgb(\(figures)\(alpha))"]
    return fault
  }

  /// As a graph file would write it.
  public func written(as kind: Kind) -> String {
    let bytes = components.map { ($0 * 255).rounded() }
    guard zip(bytes, components).allSatisfy({ $0 / 255 == $1 }) else {
      return "[" + components.map(shortest).joined(separator: ", ") + "]"
    }
    let digits = bytes.dropLast(alpha == 1 ? 1 : 0).map { byte in
      let hex = String(Int(byte), radix: 16, uppercase: true)
      return hex.count == 1 ? "0" + hex : hex
    }
    return "\"#" + digits.joined() + "\""
  }
}
