/// The function of a fixture's slot: a word, or a map with details.
struct FixtureChannel: FieldRecord, FieldValue {
  /// Which byte of a number a slot carries: the first is the most significant.
  enum Part: Int {
    case coarse, fine, ultra
  }

  private var text = ""
  private var ends: [String] = []
  private var rest = ""
  /// The functions of single ranges of the slot's values, where it has several.
  private(set) var ranges: [FixtureRange] = []
  /// The default value of the first slot, 0…255; nil: `home` decides.
  private(set) var initial: Int?
  /// Whether master and blackout act on it; nil: its attribute decides.
  private(set) var isUnderMaster: Bool?
  /// The attribute; nil: the slot has no function.
  private(set) var attribute: LightAttribute?
  /// The name that channels of finer bytes refer to.
  private(set) var key = ""
  private(set) var part = Part.coarse
  /// The numbers at value 0 and at full value, in the unit of the attribute.
  private(set) var range = (0.0, 1.0)
  /// The default number, in the same unit; nil: the number of the range nearest to 0.
  private(set) var home: Double?

  init() {}

  static let recordName = "channel of a fixture"
  private static let quantity = ValueKind.text(
    pattern: ValueKind.quantityPattern, form: "a number with its unit")
  static let fields: [Field<FixtureChannel>] = [
    Field(
      "is", \.text, .text(pattern: "^.{1,64}$", form: "1 to 64 characters"),
      "What it does: \(LightAttribute.known.joined(separator: ", ")), or a word of your own."),
    Field(
      "range", \.ends, .pair(quantity),
      "The numbers that 0 and full stand for, in the unit of what it does, such as [-270 deg, 270 deg]; the first may be the "
        + "larger one."),
    Field(
      "home", \.rest, quantity,
      "The number that it has if no node states one (lights state 0 for pan, tilt and strobe by default); by default "
        + "the number of its range that is nearest to 0."
    ),
    Field(
      "ranges", \.ranges, .list(FixtureRange.kind, count: 0...FixtureRange.most),
      "What the slot does in parts of its values, where that is more than one thing, such as { slots: [0, 9], name: Open }."
    ),
    Field(
      "default", \.initial, FixtureRange.value,
      "The value of its slot if no node states one, 0…255, in place of `home`; of a finer channel that of the first."
    ),
    Field(
      "master", \.isUnderMaster,
      "Whether master and blackout dim it; by default they dim dimmers, and the colors of a fixture that has none."
    ),
  ]
  static let kind = ValueKind.oneOf([fields[0].kind, .record(FixtureChannel.self)])

  static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> FixtureChannel? {
    var channel = FixtureChannel()
    let before = context.count
    if let pairs = tree.map {
      channel.read(pairs, in: recordName, context)
      if channel.text.isEmpty, context.count == before {
        context.report(.fixtureLacks("is", context.subject, at: tree.mark))
      }
    } else if let text = String.read(tree, as: fields[0].kind, context) {
      channel.text = text
    }
    guard context.count == before else { return nil }
    return channel.resolve(tree, context) ? channel : nil
  }

  /// Parses the texts; false where one is invalid.
  private mutating func resolve(_ tree: Tree, _ context: ReadContext) -> Bool {
    var words = text.split(separator: " ").map(String.init)
    if words.count > 1, let last = words.last?.lowercased() {
      part = last == "fine" ? .fine : last == "ultra" ? .ultra : .coarse
      if part != .coarse { words.removeLast() }
    }
    let word = words.joined(separator: " ")
    guard !words.isEmpty, !["fine", "ultra"].contains(word.lowercased()) else {
      context.expected("a word for what the slot does, such as red or pan fine", tree)
      return false
    }
    guard !["none", "-", "~", "null"].contains(word.lowercased()) else { return true }
    let attribute = LightAttribute.named(word)
    self.attribute = attribute
    key = attribute.name
    range = (attribute.range.lowerBound, attribute.range.upperBound)
    let before = context.count
    func number(_ text: String, _ key: String) -> Double {
      let value = tree.map?.first { $0.key.text == key }?.value ?? tree
      let scalar = Tree(.scalar(text, quoted: false), mark: value.mark)
      return context.within(key) { context.number(scalar, attribute.unit, in: -50_000...50_000) } ?? 0
    }
    if ends.count == 2 { range = (number(ends[0], "range"), number(ends[1], "range")) }
    if !rest.isEmpty {
      let value = number(rest, "home")
      home = value
      let (low, high) = (min(range.0, range.1), max(range.0, range.1))
      if context.count == before, !(low...high).contains(value) {
        let takes = ValueKind.number(attribute.unit, low...high).words
        context.report(.outOfRange("\(context.subject).home", rest, takes: takes, at: tree.mark))
      }
    }
    if range.0 == range.1, context.count == before {
      context.report(.emptyRange(context.subject, at: tree.mark))
    }
    let trees = tree.map?.first { $0.key.text == "ranges" }?.value.list ?? []
    for index in ranges.indices {
      _ = context.within("ranges.\(index + 1)") {
        ranges[index].resolve(attribute.unit, index < trees.count ? trees[index] : tree, context)
      }
    }
    return context.count == before
  }

  /// A copy for another byte of a number, under a channel name of a fixture file.
  func named(_ name: String, _ part: Part) -> FixtureChannel {
    var channel = self
    (channel.key, channel.part) = ("# \(name)", part)
    return channel
  }

  /// The map from numbers to levels of `width` slots.
  func scale(width: Int) -> LightScale {
    ranges.isEmpty
      ? LightScale(range.0, range.1)
      : LightScale(ranges, width: width, numbersAll: attribute?.isWheel == true, range)
  }

  /// The default level, 0…1.
  func rest(_ scale: LightScale, width: Int) -> Float {
    if let initial {
      return Float(Double(initial << (8 * (width - 1))) / Double(1 << (8 * width) - 1))
    }
    return scale.level(of: home ?? max(min(range.0, range.1), min(max(range.0, range.1), 0)))
  }

  func written(as kind: ValueKind) -> String { ranges.isEmpty ? text.written(as: .text()) : writtenFields }
}
