import Graphs

/// The sounds of a bank by name, in the order of the file; each is a path or a map.
struct SoundsSetting: FieldValue {
  /// Maximum sounds of a bank.
  static let most = 256
  /// The input of every bank that plays by name.
  static let input = "in"
  /// The outputs of every bank.
  static let outputs = (sound: "out", completed: "completed", alert: "alert")
  /// The names of the ports of every bank, which sounds cannot have.
  private static let reserved = [input, outputs.sound, outputs.completed, outputs.alert]
  var entries: [Named<SoundSetting>.Entry] = []
  /// The names, including those of faulty sounds.
  private(set) var ports: [String] = []

  init() {}

  /// The default kind of a field of this type.
  static let kind = ValueKind.map(.oneOf([.file, .record(SoundSetting.self)]))

  /// Reads the sounds. A faulty sound is left out, but its port stays, so that wires to it are not reported as well.
  static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> SoundsSetting? {
    if tree.isNothing { return SoundsSetting() }
    guard let pairs = tree.map else {
      context.expected("a map from names to audio files, such as { kick: sounds/kick.flac }", tree)
      return nil
    }
    var sounds = SoundsSetting()
    var keys: [String: String] = [:]
    for pair in pairs {
      guard let name = pair.key.text, !name.hasPrefix("x-") else { continue }
      guard sounds.ports.count < most else {
        context.report(
          Diagnostic(
            "too-many-sounds", "\(context.subject) has more than \(most) sounds", at: pair.key.mark,
            notes: ["share them between two sound-banks"]))
        break
      }
      context.within(name) { sounds.add(name, pair, &keys, context) }
    }
    return sounds
  }

  private mutating func add(
    _ name: String, _ pair: Tree.Pair, _ keys: inout [String: String], _ context: ReadContext
  ) {
    if !isName(name) {
      context.report(
        Diagnostic(
          "sound-name", "\(context.subject) is no name for a sound", at: pair.key.mark,
          notes: ["a name has 1 to 64 letters, digits, - and _, because a port is named after it"]))
    } else if Self.reserved.contains(name) {
      context.report(
        Diagnostic(
          "reserved-port", "\(context.subject) is named as a port that every sound-bank has",
          at: pair.key.mark, notes: ["use another name"]))
    } else if !ports.contains(name) {
      ports.append(name)
    }
    guard let sound = readSound(pair.value, context) else { return }
    if let key = sound.key, let other = keys.updateValue(name, forKey: key) {
      let mark = pair.value.map?.first { $0.key.text == "key" }?.value.mark ?? pair.value.mark
      context.report(
        Diagnostic(
          "equal-keys", "\(context.subject).key is \(key), and so is the key of \(other)", at: mark,
          notes: ["give each sound a key of its own"]))
    }
    entries.append(Named.Entry(name: name, value: sound))
  }

  private func readSound(_ tree: Tree, _ context: ReadContext) -> SoundSetting? {
    if tree.map != nil { return SoundSetting.read(tree, as: SoundSetting.kind, context) }
    guard let text = tree.text, !text.isEmpty, !tree.isNothing else {
      context.expected("an audio file, or a map such as { path: sounds/kick.flac, key: k }", tree)
      return nil
    }
    guard let path = GraphFile.read(tree, as: .file, context) else { return nil }
    var sound = SoundSetting()
    sound.path = path
    return sound
  }

  /// Reads a value within one of the sounds, by its path.
  mutating func read(_ tree: Tree, at path: Substring, as kind: ValueKind, _ context: ReadContext) -> Bool {
    var named = Named(entries)
    let isRead = named.read(tree, at: path, as: .map(SoundSetting.kind), context)
    entries = named.entries
    return isRead
  }

  /// The value in the form of a graph file.
  func written(as kind: ValueKind) -> String {
    if entries.isEmpty { return "{}" }
    let plain = SoundSetting()
    let pairs = entries.map { entry in
      var rest = entry.value
      rest.path = plain.path
      let isPlain = rest.written(as: SoundSetting.kind) == plain.written(as: SoundSetting.kind)
      let value = isPlain ? entry.value.path.written(as: .file) : entry.value.written(as: SoundSetting.kind)
      return "\"\(entry.name)\": \(value)"
    }
    return "{ " + pairs.joined(separator: ", ") + " }"
  }
}

/// One sound of a bank.
struct SoundSetting: FieldRecord, FieldValue {
  var path = GraphFile()
  /// The key that plays it; nil: none.
  var key: String?
  /// The gain of the sound, in dB.
  var gain = 0.0
  var alert = false
  var retrigger = false

  static let recordName = "sound"
  static let fields: [Field<SoundSetting>] = [
    Field("path", \.path, "The audio file, relative to the graph file."),
    Field(
      "key", \.key, .text(pattern: "^\\S$", form: "one character"),
      "The key on the terminal that plays it: one character, but none of \(ScreenKey.characters), which the screen "
        + "of a run uses itself."),
    Field(
      "gain", \.gain, .number(.gain, -160...20),
      "The gain of this sound; a change acts when the sound is fired next."),
    Field("alert", \.alert, "Whether each firing of it is an event at the port `alert` as well."),
    Field(
      "retrigger", \.retrigger,
      "Whether firing it again cuts it while it still plays; if not, both are heard."),
  ]
  init() {}
}
