import Graphs

/// What a mean square is taken over.
enum MeterWindow: FieldValue, Equatable {
  /// The frame.
  case frame
  /// A time constant, in seconds.
  case seconds(Double)

  private static let time = Kind.number(.seconds, 0.001...60)
  static let kind = Kind.oneOf([.choice([Kind.Choice("frame", "the frame")]), time])

  static func read(_ tree: Tree, as kind: Kind, _ reading: Reading) -> MeterWindow? {
    if case .scalar("frame", _) = tree.content { return .frame }
    return Double.read(tree, as: time, reading).map { .seconds($0) }
  }

  func written(as kind: Kind) -> String {
    switch self {
    case .frame: "frame"
    case .seconds(let seconds): seconds.written(as: Self.time)
    }
  }
}

/// How fast a level falls: the time to fall by 60 dB, or decibels a second.
struct Release: FieldValue, Equatable {
  /// Decibels a second; infinity falls at once.
  let decibelsPerSecond: Double
  private let text: String

  /// The time to fall by 60 dB, in seconds.
  init(seconds: Double) {
    decibelsPerSecond = seconds > 0 ? 60 / seconds : .infinity
    text = seconds.written(as: Self.time)
  }

  init(decibelsPerSecond: Double) {
    self.decibelsPerSecond = decibelsPerSecond
    text = "\(decibelsPerSecond) dB/s"
  }

  private static let time = Kind.number(.seconds, 0...600)
  static let kind = Kind.oneOf([
    time, .text(pattern: "^ *\\+?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+)? *dB/s *$"),
  ])

  static func read(_ tree: Tree, as kind: Kind, _ reading: Reading) -> Release? {
    if case .scalar(let text, _) = tree.content, let quantity = Quantity(text), quantity.unit == "dB/s" {
      guard (0.1...100_000).contains(quantity.number) else {
        reading.expected("a time such as 1.24 s, or 0.1 dB/s … 100000 dB/s", tree)
        return nil
      }
      return Release(decibelsPerSecond: quantity.number)
    }
    guard case .scalar(let text, _) = tree.content, Quantity(text) != nil else {
      reading.expected("a time 0…600 s, or a speed such as 20 dB/s", tree)
      return nil
    }
    return Double.read(tree, as: time, reading).map { Release(seconds: $0) }
  }

  func written(as kind: Kind) -> String { text }
}
