import DMX

/// A fixture file: the maker of a lamp, and the functions of its slots in each mode.
struct FixtureFile: FieldRecord {
  var name: String?
  var manufacturer: String?
  var author: String?
  var licence: String?
  var channels = Named<FixtureChannel>()
  var modes = Named<[ModeSlot]>()

  static let recordName = "fixture file"
  private static let line = ValueKind.text(pattern: "^.{1,500}$", form: "1 to 500 characters")
  static let fields: [Field<FixtureFile>] = [
    Field("name", \.name, line, "What the lamp is called."),
    Field("manufacturer", \.manufacturer, line, "Who makes it."),
    Field("author", \.author, line, "Who wrote the file."),
    Field(
      "licence", \.licence, line, aliases: ["license"], "Under which terms the file may be used."),
    Field(
      "channels", \.channels, .map(FixtureChannel.kind),
      "Channels by names of their own, so that several modes have them: { Shutter: { is: strobe, range: [0 Hz, 20 Hz] } }."
    ),
    Field(
      "modes", \.modes, .map(.list(FixtureChannel.kind, count: 1...SlotAddress.slots)),
      "What each slot does in a mode, in the order of its chart: a name of `channels`, with `fine` after it for the next byte "
        + "of the same, or what `channels` of a fixture in a graph takes."),
  ]
}

/// A slot of a mode: the name of a channel of the file, or a channel written in place.
struct ModeSlot: FieldValue {
  /// The value in the file.
  private let tree: Tree

  static var kind: ValueKind { FixtureChannel.kind }

  /// Keeps the tree: a channel's name and an attribute's word differ only by the list of all names.
  static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> ModeSlot? {
    ModeSlot(tree: tree)
  }

  /// The function of the slot; nil after reporting a fault.
  func channel(among channels: [String: FixtureChannel], _ context: ReadContext) -> FixtureChannel? {
    guard let text = tree.text else { return FixtureChannel.read(tree, as: Self.kind, context) }
    if let channel = channels[text] { return channel.named(text, .coarse) }
    for (word, part) in [(" fine", FixtureChannel.Part.fine), (" ultra", .ultra)] where text.hasSuffix(word) {
      let name = String(text.dropLast(word.count))
      if let channel = channels[name] { return channel.named(name, part) }
    }
    return FixtureChannel.read(tree, as: Self.kind, context)
  }

  func written(as kind: ValueKind) -> String { tree.flow }
}

/// A fixture file with the channels of each mode. [control]
final class FixtureProfile: AnySettings {
  /// The first key of such a file; its value is the version of the format.
  static let version = "visgraph-fixture"
  /// The name of such a file in messages.
  static let noun = "a fixture file"

  /// The modes without faults, in file order.
  private(set) var modes: [(name: String, channels: [FixtureChannel])] = []
  /// Whether the file has a fault, which has been reported.
  private(set) var isFaulty: Bool

  /// Reads the top level of a file; faults go to `context`.
  init(_ tree: Tree?, isFaulty: Bool, path: String, _ context: ReadContext) {
    self.isFaulty = isFaulty
    guard let tree else { return }
    let before = context.count
    read(tree, path, context)
    if context.count != before { self.isFaulty = true }
  }

  private func read(_ tree: Tree, _ path: String, _ context: ReadContext) {
    let start = SourceRange.start(file: tree.mark.file)
    guard let pairs = tree.map, let version = pairs.first(where: { $0.key.text == Self.version })?.value
    else {
      let isGraph = tree.map?.contains { $0.key.text == "visgraph" } == true
      return context.report(.noFixtureFile(isGraph: isGraph, at: start))
    }
    guard version.text == "1" else {
      let isNewer = version.text.flatMap(Quantity.init).map { $0.number > 1 && $0.unit.isEmpty } == true
      return context.report(
        isNewer ? .newerVersion(version.text ?? "", at: version.mark) : .wrongFixtureVersion(version))
    }
    var file = FixtureFile()
    let before = context.count
    file.read(pairs, in: Self.noun, also: [Self.version], context)
    let mark = pairs.first { $0.key.text == "modes" }?.value
    if file.modes.entries.isEmpty, context.count == before {
      context.report(.fixtureLacks("modes", Self.noun, at: mark?.mark ?? start))
    }
    let channels = Dictionary(
      file.channels.entries.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    for mode in file.modes.entries {
      let place = mark?.map?.first { $0.key.text == mode.name }?.key.mark
      context.within("modes") {
        context.within(mode.name) { read(mode.name, mode.value, channels, at: place, context) }
      }
    }
  }

  private func read(
    _ name: String, _ slots: [ModeSlot], _ named: [String: FixtureChannel], at mark: SourceRange?,
    _ context: ReadContext
  ) {
    let before = context.count
    var channels: [FixtureChannel] = []
    var widths: [String: Int] = [:]
    for (index, slot) in slots.enumerated() {
      guard let channel = context.within("\(index + 1)", { slot.channel(among: named, context) }) else {
        continue
      }
      channels.append(channel)
      guard let attribute = channel.attribute else { continue }
      let part = channel.part.rawValue
      // Where several channels have one name, their finer bytes may come in any order.
      if part > 0,
        widths["\(channel.key) \(part - 1)", default: 0] <= widths["\(channel.key) \(part)", default: 0]
      {
        context.report(.fineWithoutCoarse(attribute.name, at: mark))
      }
      widths["\(channel.key) \(part)", default: 0] += 1
    }
    if context.count == before { modes.append((name, channels)) }
  }
}

extension GraphFileCache {
  /// Reads a fixture file once; nil where it cannot be read, which is reported at `mark`.
  func fixture(_ name: GraphFile, at mark: SourceRange, _ context: ReadContext) -> FixtureProfile? {
    content(of: name, as: FixtureProfile.noun, key: "fixture \(name.path)", at: mark, context) {
      tree, isFaulty in
      FixtureProfile(tree, isFaulty: isFaulty, path: name.path, context)
    }
  }
}
