import DMX

/// A fixture made from a file of another program: channels, modes, and what was lost. [control]
struct FixtureDraft {
  /// A range of values of a slot.
  struct ValueRange: Equatable {
    /// The first and the last value, 0…255.
    var first: Int
    var last: Int
    /// The quantity at both ends, or one for all values, with units; empty: the range only has a name.
    var quantities: [String] = []
    var name: String?
    /// A color as `#rrggbb`.
    var color: String?
  }

  /// A channel that modes refer to.
  struct Channel {
    /// The key in the fixture file; unique.
    var key: String
    /// Its function: a word that `LightAttribute` of `Graphs` knows (`FixtureWords.known`), or a name without a
    /// meaning in graph files (`FixtureWords.own`).
    var word: String
    /// The quantity at values 0 and 255, with units. `ranges` are of parts of the values.
    var range: (low: String, high: String)?
    var ranges: [ValueRange] = []
    /// The default value, 0…255.
    var initial: Int?
  }

  /// A slot of a mode: one byte of a channel, part 0 is the coarse one.
  typealias Slot = (channel: Int, part: Int)

  /// The name of the lamp.
  var name = ""
  var manufacturer = ""
  /// The channels in the order of the file.
  private(set) var channels: [Channel] = []
  /// The modes in the order of the file. A slot that is nil stays 0.
  private(set) var modes: [(name: String, slots: [Slot?])] = []
  /// Names of modes that were passed over because another was asked for. The message of an unknown mode lists them.
  private var skipped: [String] = []
  /// The index in `found` of each message.
  private var notesByText: [String: Int] = [:]
  /// The notes so far, one for each message.
  private var found: [(kind: ImportNote.Kind, keys: [String], message: String)] = []
  /// The notes that were made, so that each is made once; and the names in use, with the last number given to each.
  private var noted: Set<String> = []
  private var taken: [String: Int] = [:]

  /// The values of a slot.
  static let values = 0...Int(UInt8.max)
  /// The most channels and the most modes of a file.
  static let (mostChannels, mostModes) = (4096, 512)
  /// The most keys that one note lists.
  private static let mostKeys = 40

  /// Notes that something was lost or changed. Keys with the same message share a note.
  mutating func note(_ kind: ImportNote.Kind, _ key: String, _ message: String) {
    let text = "\(kind) \(message)"
    guard noted.insert("\(text)\n\(key)").inserted else { return }
    if let place = notesByText[text] {
      found[place].keys.append(key)
    } else {
      notesByText[text] = found.count
      found.append((kind, [key], message))
    }
  }

  /// The notes, one for each message, with all keys that it concerns.
  var notes: [ImportNote] {
    found.map { note in
      let more = note.keys.count - Self.mostKeys
      return ImportNote(
        note.kind, note.keys.prefix(Self.mostKeys) + (more > 0 ? ["and \(more) more"] : []), note.message)
    }
  }

  /// Adds a channel. Returns its index, by which slots refer to it; nil for one beyond the limit, which is noted.
  mutating func add(_ channel: Channel) -> Int? {
    guard channels.count < Self.mostChannels else {
      note(.left, Self.key(channel.key), "channels beyond the first \(Self.mostChannels)")
      return nil
    }
    var channel = channel
    channel.key = uniqueName(Self.key(channel.key), among: "channels")
    if channel.ranges.count > Self.values.count {
      note(.left, channel.key, "ranges beyond the first \(Self.values.count), as many as a slot has values")
      channel.ranges.removeLast(channel.ranges.count - Self.values.count)
    }
    channels.append(channel)
    return channels.count - 1
  }

  /// Keeps the name of a mode that is passed over.
  mutating func skip(mode name: String) {
    if skipped.count < Self.mostModes { skipped.append(Self.key(name)) }
  }

  /// Adds a mode. One beyond the limit, with too many slots or without channels is left out, which is noted.
  mutating func add(mode name: String, _ slots: [Slot?]) {
    guard modes.count < Self.mostModes else {
      return note(.left, name, "modes beyond the first \(Self.mostModes)")
    }
    guard slots.contains(where: { $0 != nil }) else {
      return note(.left, name, "the mode has no channels that do anything")
    }
    guard slots.count <= SlotAddress.slots else {
      return note(.left, name, "the mode has more slots than a universe, \(slots.count)")
    }
    modes.append((uniqueName(Self.key(name), among: "modes"), slots))
  }

  /// Removes channels that no mode uses.
  mutating func removeUnused() {
    let used = Set(modes.flatMap { $0.slots.compactMap { $0?.channel } })
    var places: [Int: Int] = [:]
    var kept: [Channel] = []
    for (index, channel) in channels.enumerated() {
      guard used.contains(index) else {
        note(.left, channel.key, "in no mode")
        continue
      }
      places[index] = kept.count
      kept.append(channel)
    }
    channels = kept
    for mode in modes.indices {
      modes[mode].slots = modes[mode].slots.map { slot in
        slot.flatMap { slot in places[slot.channel].map { ($0, slot.part) } }
      }
    }
  }

  /// Keeps one mode of a file, whose name is for messages. Throws where no mode is called `wanted`.
  mutating func keep(mode wanted: String, of file: String) throws(ImportError) {
    let name = Self.key(wanted)
    guard let mode = modes.first(where: { $0.name == name }) else {
      let known = (modes.map(\.name) + skipped).prefix(50).joined(separator: ", ")
      throw ImportError(
        "unknown-mode", "\(file): has no mode \"\(FileText.shown(wanted))\"; its modes are \(known)")
    }
    for other in modes.map(\.name) + skipped where other != name {
      note(.left, other, "another mode, as asked")
    }
    modes = [mode]
  }

  /// A name as a key of fixture files: printable, not empty, without a prefix that is ignored (`x-`) or the ending of
  /// a finer byte.
  static func key(_ name: String) -> String {
    // A graph reads `${` as the start of a variable.
    var key = FileText.shown(name).trimmed.replacing("${", with: "$ {")
    if key.isEmpty { key = "Unnamed" }
    if key.hasPrefix("x-") { key = "X-" + key.dropFirst(2) }
    for word in [" fine", " ultra"] where key.hasSuffix(word) {
      key = key.dropLast(word.count) + word.prefix(2).uppercased() + word.dropFirst(2)
    }
    return key
  }

  /// The name, or the name with a number behind it if it is in use.
  private mutating func uniqueName(_ name: String, among list: String) -> String {
    var (result, number) = (name, taken["\(list) \(name)"] ?? 1)
    while taken["\(list) \(result)"] != nil {
      number += 1
      result = "\(name) (\(number))"
    }
    taken["\(list) \(name)"] = number
    taken["\(list) \(result)"] = taken["\(list) \(result)"] ?? 1
    return result
  }
}
