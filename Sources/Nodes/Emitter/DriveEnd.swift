import Graphs

/// A number in the unit of whatever is driven, which is not known while it is read: `5`, `10 %`, `90 deg`.
struct DriveEnd: FieldValue {
  /// As written.
  let text: String
  private let quantity: Quantity
  private let fps: FrameRate
  private let stage: Stage
  let origin: Origin?

  /// A bare number.
  init(_ number: Int) {
    text = "\(number)"
    // A whole number is a quantity.
    quantity = Quantity(text)!
    (fps, stage, origin) = (FrameRate(60), Stage(), nil)
  }

  private init(_ text: String, _ quantity: Quantity, _ tree: Tree, _ reading: Reading) {
    self.text = text
    self.quantity = quantity
    (fps, stage, origin) = (reading.fps, reading.stage, Origin(tree, reading))
  }

  /// The kind when a declaration names none.
  static let kind = Kind.oneOf([
    Double.kind, .text(pattern: "^ *[-+]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+)? *[^0-9 ]*$"),
  ])

  /// Reads it; when it is at fault that goes to `reading`. [control]
  static func read(_ tree: Tree, as kind: Kind, _ reading: Reading) -> DriveEnd? {
    guard let text = tree.text, !tree.isNothing, let quantity = Quantity(text) else {
      reading.expected("a number in the unit of the key, such as 0.5, 10 % or 90 deg", tree)
      return nil
    }
    return DriveEnd(text, quantity, tree, reading)
  }

  /// As a graph file would write it.
  func written(as kind: Kind) -> String {
    quantity.unit.isEmpty ? quantity.number.written(as: Double.kind) : text.written(as: .text())
  }

  /// The number in a unit; nil when its own unit is not understood there.
  func value(in unit: Graphs.Unit) -> Double? { unit.value(of: quantity, fps: fps, stage: stage) }
}
