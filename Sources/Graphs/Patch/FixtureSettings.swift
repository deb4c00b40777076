import DMX

/// A row of fixtures of one kind, as `patch:` has it.
struct FixtureSettings: FieldRecord, FieldValue {
  /// The most fixtures of a row, and the most slots of one.
  static let (mostFixtures, mostSlots) = (1.0...1000.0, 1...SlotAddress.slots)

  var name = ""
  var count = 1
  var channels: [FixtureChannel] = []
  var address = ""
  var groups: [String] = []
  var isUnderMaster = true
  /// Where the row and its keys stand.
  private(set) var mark: SourceRange?
  private var marks: [String: SourceRange] = [:]

  /// Where a key stands, else the row.
  func mark(of key: String) -> SourceRange? { marks[key] ?? mark }

  private static let word = ValueKind.text(
    pattern: "^[A-Za-z0-9_][A-Za-z0-9_ -]{0,63}$", form: "1 to 64 letters, digits, spaces, - and _")

  static let recordName = "fixture"
  static let fields: [Field<FixtureSettings>] = [
    Field(
      "name", \.name, word,
      "What it is called; those of a row are NAME 1, NAME 2 and so on, and NAME means all of them."),
    Field("count", \.count, .number(.none, mostFixtures, whole: true), "How many hang there."),
    Field(
      "channels", \.channels, .list(FixtureChannel.kind, count: mostSlots),
      "What each slot does, in the order of the fixture's chart: a word, or a map with the range of its numbers. `fine` behind "
        + "a word is the next byte of the same (pan, pan fine), `ultra` the third; `none` is a slot that stays 0."
    ),
    Field(
      "address", \.address, .slotAddress,
      "The slot of the first one, UNIVERSE/SLOT, both from 1. The others follow; one that does not fit into a universe "
        + "begins the next."),
    Field(
      "groups", \.groups, .oneOf([word, .list(word, count: 0...32)]), "Groups that it belongs to, by name."),
    Field(
      "master", \.isUnderMaster,
      "Whether master and blackout of the show act on it, as on lamps; `false` for a machine that must run on."
    ),
  ]

  static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> FixtureSettings? {
    guard let pairs = tree.map else {
      context.expected("a map such as { name: Par, channels: [red, green, blue], address: 1/1 }", tree)
      return nil
    }
    let before = context.count
    var fixture = FixtureSettings()
    fixture.read(pairs, in: recordName, context)
    fixture.mark = tree.mark
    for pair in pairs { if let key = pair.key.text { fixture.marks[key] = pair.value.mark } }
    for (key, isMissing) in [
      ("name", fixture.name.isEmpty), ("channels", fixture.channels.isEmpty),
      ("address", fixture.address.isEmpty),
    ] where isMissing && fixture.marks[key] == nil {
      context.report(.fixtureLacks(key, context.subject, at: tree.mark))
    }
    return context.count == before ? fixture : nil
  }
}

/// What a slot of a fixture does: a word, or a map with more.
struct FixtureChannel: FieldRecord, FieldValue {
  /// Which byte of a number a slot has.
  enum Part: Int {
    case coarse, fine, ultra
  }

  private var text = ""
  private var ends: [String] = []
  private var rest = ""
  /// What it does; nil: nothing.
  private(set) var attribute: LightAttribute?
  private(set) var part = Part.coarse
  /// The numbers of slot 0 and of a full one, in the unit of the attribute.
  private(set) var range = (0.0, 1.0)
  /// What it is while nobody says anything, in the same unit; nil: the number nearest to 0.
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
      "The number that it has where no node says one (lights say 0 for pan, tilt and strobe unless told); where nothing is "
        + "said, the one of its range that is nearest to 0."
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

  /// Understands the texts; false where one is at fault.
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
    return context.count == before
  }

  func written(as kind: ValueKind) -> String { text.written(as: .text()) }
}

extension ValueKind {
  /// `UNIVERSE/SLOT`.
  public static let slotAddress = ValueKind.text(
    pattern: "^0*[1-9][0-9]{0,4}/0*[1-9][0-9]{0,2}$", form: "UNIVERSE/SLOT, such as 1/1", isChecked: true)
}
