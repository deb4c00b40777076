import Graphs

/// The speed at which a level falls: the time for 60 dB, or decibels per second.
struct Release: FieldValue, Equatable {
  /// Decibels per second; infinity falls at once.
  let decibelsPerSecond: Double
  private let text: String

  /// The time for a fall of 60 dB, in seconds.
  init(seconds: Double) {
    decibelsPerSecond = seconds > 0 ? 60 / seconds : .infinity
    text = seconds.written(as: Self.time)
  }

  init(decibelsPerSecond: Double) {
    self.decibelsPerSecond = decibelsPerSecond
    text = "\(decibelsPerSecond) dB/s"
  }

  private static let time = ValueKind.number(.seconds, 0...600)
  static let kind = ValueKind.oneOf([
    time, .text(pattern: "^ *\\+?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+)? *dB/s *$"),
  ])

  static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> Release? {
    let quantity = tree.text.flatMap(Quantity.init)
    if let quantity, quantity.unit == "dB/s" {
      guard (0.1...100_000).contains(quantity.number) else {
        context.expected("a time 0…600 s, or a speed 0.1…100000 dB/s", tree)
        return nil
      }
      return Release(decibelsPerSecond: quantity.number)
    }
    guard quantity != nil else {
      context.expected("a time 0…600 s, or a speed such as 20 dB/s", tree)
      return nil
    }
    return Double.read(tree, as: time, context).map { Release(seconds: $0) }
  }

  func written(as kind: ValueKind) -> String { text }
}
