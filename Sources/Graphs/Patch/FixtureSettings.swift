import DMX

/// A row of equal fixtures in `patch:`.
struct FixtureSettings: FieldRecord, FieldValue {
  /// The limits of the fixtures of a row, and of the slots of a fixture.
  static let (mostFixtures, mostSlots) = (1.0...1000.0, 1...SlotAddress.slots)

  var name = ""
  var count = 1
  var channels: [FixtureChannel] = []
  var fixture: GraphFile?
  var mode: String?
  var address = ""
  var groups: [String] = []
  var place: FixturePlace?
  var isUnderMaster = true
  /// The places of the row and of its values.
  private(set) var mark: SourceRange?
  private var marks: [String: SourceRange] = [:]

  /// The place of a key's value, or that of the row.
  func mark(of key: String) -> SourceRange? { marks[key] ?? mark }

  private static let word = ValueKind.text(
    pattern: "^[A-Za-z0-9_][A-Za-z0-9_ -]{0,63}$", form: "1 to 64 letters, digits, spaces, - and _")

  static let recordName = "fixture"
  static let fields: [Field<FixtureSettings>] = [
    Field(
      "name", \.name, word,
      "What it is called; those of a row are NAME 1, NAME 2 and so on, and NAME means all of them."),
    Field("count", \.count, .number(.none, mostFixtures, whole: true), "How many fixtures the row has."),
    Field(
      "channels", \.channels, .list(FixtureChannel.kind, count: mostSlots),
      "What each slot does, in the order of the fixture's chart: a word, or a map with the range of its numbers. `fine` after "
        + "a word is the next byte of the same (pan, pan fine), `ultra` the third; `none` is a slot that stays 0."
    ),
    Field(
      "fixture", \.fixture,
      "A file that knows the channels, in place of `channels`: `visgraph-fixture: 1`, written by hand or by `visgraph "
        + "import`."),
    Field(
      "mode", \.mode, .text(),
      "The mode of the file that the fixtures are set to; not needed for a file with one mode."),
    Field(
      "address", \.address, .slotAddress,
      "The slot of the first one, UNIVERSE/SLOT, both from 1. The others follow; one that does not fit into a universe "
        + "begins the next."),
    Field(
      "groups", \.groups, .oneOf([word, .list(word, count: 0...32)]), "Groups that it belongs to, by name."),
    Field(
      "place", \.place,
      "Where it stands on the stage, [x, y] in parts of its width and height from the top left: [20 %, 50 %], or the corners "
        + "of a line that the fixtures of the row stand along, [[10 %, 20 %], [90 %, 20 %]]. `lights` take the color of "
        + "pictures there."),
    Field(
      "master", \.isUnderMaster,
      "Whether master and blackout of the show act on it, as on lamps; `false` for a device that must keep running."
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
    fixture.takeMode(context)
    for (key, isMissing) in [
      ("name", fixture.name.isEmpty), ("channels", fixture.channels.isEmpty && fixture.fixture == nil),
      ("address", fixture.address.isEmpty),
    ] where isMissing && fixture.marks[key] == nil {
      context.report(.fixtureLacks(key, context.subject, at: tree.mark))
    }
    return context.count == before ? fixture : nil
  }

  /// Takes the channels of a mode of the named file.
  private mutating func takeMode(_ context: ReadContext) {
    guard let file = fixture else {
      if mode != nil { context.report(.modeWithoutFixture(at: mark(of: "mode"))) }
      return
    }
    guard marks["channels"] == nil else {
      return context.report(.channelsTwice(context.subject, at: mark(of: "fixture")))
    }
    guard let mark = mark(of: "fixture"), let profile = context.files.fixture(file, at: mark, context) else {
      return
    }
    // Faults in the file have been reported there.
    guard !profile.isFaulty else { return }
    let known = profile.modes.map(\.name)
    let found =
      mode.map { wanted in profile.modes.first { $0.name == wanted } }
      ?? (known.count == 1 ? profile.modes[0] : nil)
    guard let found else {
      return context.report(.unknownMode(mode, of: file.text, known: known, at: self.mark(of: "mode")))
    }
    channels = found.channels
  }
}

extension ValueKind {
  /// `UNIVERSE/SLOT`.
  public static let slotAddress = ValueKind.text(
    pattern: "^0*[1-9][0-9]{0,4}/0*[1-9][0-9]{0,2}$", form: "UNIVERSE/SLOT, such as 1/1", isChecked: true)
}
