internal import Particles

/// The function of a slot in one range of its values: a gobo, a strobe of 1…20 Hz, a program.
struct FixtureRange: FieldRecord, FieldValue {
  private var slots: [Int] = []
  private var ends: [String] = []
  private(set) var name: String?
  private(set) var color: Color?
  /// The numbers at its ends, in the unit of the attribute; nil: the range has no numbers.
  private(set) var numbers: (low: Double, high: Double)?

  /// The first and the last value, 0…255.
  var first: Int { slots.first ?? 0 }
  var last: Int { slots.last ?? 0 }

  static let recordName = "range of a channel"
  /// The most ranges of a channel: one for each value of a slot.
  static let most = 1 + Int(UInt8.max)
  /// A value of a slot.
  static let value = ValueKind.number(.none, 0...Double(UInt8.max), whole: true)
  private static let quantity = ValueKind.text(
    pattern: ValueKind.quantityPattern, form: "a number with its unit")
  static let fields: [Field<FixtureRange>] = [
    Field(
      "slots", \.slots, .oneOf([value, .pair(value)]),
      "The values of the slot, 0…255, from which and to which it goes; of a finer channel those of the first slot."
    ),
    Field(
      "to", \.ends, .oneOf([quantity, .pair(quantity)]),
      "The number that they stand for, or the numbers of both ends, in the unit of what the channel does: [1 Hz, 20 Hz], 0 Hz, "
        + "or the place of a gobo in its wheel. Ranges of wheels without it are counted from 1."),
    Field(
      "name", \.name, .text(pattern: "^.{1,64}$", form: "1 to 64 characters"),
      "What it is called: `set` of lights takes the name."),
    Field("color", \.color, "The color of a filter: lights take the one that is nearest to theirs."),
  ]

  /// Parses the numbers in the unit of an attribute; false after reporting a fault.
  mutating func resolve(_ unit: Unit, _ tree: Tree?, _ context: ReadContext) -> Bool {
    let before = context.count
    func mark(_ key: String) -> SourceRange? {
      tree?.map?.first { $0.key.text == key }?.value.mark ?? tree?.mark
    }
    if slots.isEmpty { context.report(.fixtureLacks("slots", context.subject, at: tree?.mark)) }
    if first > last { context.report(.slotsBackwards(context.subject, at: mark("slots"))) }
    var read: [Double] = []
    for text in ends {
      let scalar = Tree(.scalar(text, quoted: false), mark: mark("to") ?? SourceRange.nowhere)
      // Only the first fault of the two ends is reported.
      guard let number = context.within("to", { context.number(scalar, unit, in: -50_000...50_000) }) else {
        break
      }
      read.append(number)
    }
    if read.count == ends.count, let low = read.first, let high = read.last { numbers = (low, high) }
    return context.count == before
  }
}

extension SourceRange {
  /// Stands for an unknown place: the start of the graph file.
  fileprivate static let nowhere = SourceRange.start()
}
