/// Converts a fixture of the Open Fixture Library (its format 12). [control]
struct OpenFixture {
  private var draft = FixtureDraft()
  /// The channels by key.
  private var available: [String: JsonNode] = [:]
  /// The channels of pixels, by keys that contain `$pixelKey`.
  private var templates: [String: JsonNode] = [:]
  /// The channel and the byte (`part`) that each fine alias means.
  private var aliases: [String: (key: String, part: Int)] = [:]
  /// The channel that each switching alias means first.
  private var switched: [String: String] = [:]
  private var pixels = OpenPixels()
  /// The template and the pixel of each key that a template expands to.
  private var expanded: [String: (key: String, pixel: String)] = [:]
  /// The slots of each wheel, by its name.
  private let wheels: [String: [JsonNode]]
  /// The index of each channel in the draft; nil: it is beyond the limit.
  private var places: [String: Int?] = [:]
  private var wheelWords = FixtureWheels()

  /// Whether bytes look like a fixture of that library.
  static func isMeant(_ bytes: [UInt8]) -> Bool {
    let all = bytes[...]
    return all.firstRange(of: Array("\"modes\"".utf8)) != nil
      && (all.firstRange(of: Array("\"availableChannels\"".utf8)) != nil
        || all.firstRange(of: Array("\"templateChannels\"".utf8)) != nil)
  }

  /// Reads the fixture in a file. Throws where there is none.
  static func draft(of bytes: [UInt8], called file: String) throws(ImportError) -> FixtureDraft {
    let root = try JsonNode.object(in: bytes, called: file)
    let channels = (root["availableChannels"]?.pairs ?? []) + (root["templateChannels"]?.pairs ?? [])
    guard channels.contains(where: { OpenCapability.all(of: $0.value).contains { $0["type"] != nil } }) else {
      throw ImportError(
        "older-version",
        "\(file): its channels have no capabilities with a type; files of the library's format 1 and before "
          + "are not read")
    }
    var fixture = OpenFixture(root)
    fixture.read(root)
    return fixture.draft
  }

  private init(_ root: JsonNode) {
    wheels = Dictionary(
      (root["wheels"]?.pairs ?? []).map { ($0.key, $0.value["slots"]?.values ?? []) },
      uniquingKeysWith: { $1 })
    pixels = OpenPixels(root["matrix"])
    draft.name = root["name"]?.text ?? ""
    draft.manufacturer = root["manufacturerKey"]?.text ?? ""
  }

  private mutating func read(_ root: JsonNode) {
    for (key, _) in root.pairs {
      switch key {
      case "$schema", "name", "shortName", "manufacturerKey", "fixtureKey", "oflURL", "meta",
        "availableChannels",
        "templateChannels", "modes", "wheels", "matrix", "categories":
        break
      case "comment", "links", "helpWanted", "physical", "rdm":
        draft.note(.left, key, "visgraph has no use for it")
      default: draft.note(.left, key, "not known to visgraph")
      }
    }
    for (key, channel) in root["availableChannels"]?.pairs ?? [] {
      available[key] = channel
      addAliases(of: channel, key)
    }
    for (key, channel) in root["templateChannels"]?.pairs ?? [] {
      templates[key] = channel
      addAliases(of: channel, key)
    }
    expanded = pixels.expanded(templates.keys.sorted() + aliases.keys.sorted())
    for mode in root["modes"]?.values ?? [] { add(mode: mode) }
  }

  private mutating func addAliases(of channel: JsonNode, _ key: String) {
    for (index, alias) in (channel["fineChannelAliases"]?.values ?? []).enumerated() {
      guard let alias = alias.text else { continue }
      if index < 2 {
        aliases[alias] = (key, index + 1)
      } else {
        draft.note(.left, alias, "a fourth byte of a number; its slot stays 0")
      }
    }
    for capability in OpenCapability.all(of: channel) {
      for (alias, target) in capability["switchChannels"]?.pairs ?? [] {
        draft.note(.approximated, alias, "what it does depends on another channel; what it does first counts")
        if switched[alias] == nil { switched[alias] = target.text }
      }
    }
  }

  private mutating func add(mode: JsonNode) {
    let name = mode["name"]?.text ?? mode["shortName"]?.text ?? ""
    for (key, _) in mode.pairs where !["name", "shortName", "channels", "rdmPersonalityIndex"].contains(key) {
      draft.note(.left, "\(key) of \(name)", "visgraph has no use for it")
    }
    var slots: [FixtureDraft.Slot?] = []
    for channel in mode["channels"]?.values ?? [] where slots.count <= 512 {
      if channel.isNull {
        slots.append(nil)
      } else if let key = channel.text {
        slots.append(slot(key, slots))
      } else if channel["insert"]?.text == "matrixChannels" {
        for key in pixels.keys(of: channel) where slots.count <= 512 {
          slots.append(key.flatMap { slot($0, slots) })
        }
      } else {
        draft.note(.left, name, "a channel that is inserted in a way that visgraph does not know")
      }
    }
    if pixels.count > 1 {
      draft.note(.left, name, "its pixels by themselves: all have the same color and brightness")
    }
    draft.add(mode: name, slots)
  }

  /// The slot for a key in a mode; nil, with a note, where it stays 0.
  private mutating func slot(_ key: String, _ before: [FixtureDraft.Slot?]) -> FixtureDraft.Slot? {
    let key = switched[key] ?? key
    let base = expanded[key]?.key ?? key
    let pixel = expanded[key]?.pixel
    let alias = aliases[base] ?? aliases[key]
    let channelKey = alias.map { pixels.resolved($0.key, pixel) } ?? key
    guard let channel = available[channelKey] ?? templates[alias?.key ?? base] else {
      draft.note(.changed, key, "a channel of a mode that the file does not describe; its slot stays 0")
      return nil
    }
    if OpenCapability.isNothing(channel) { return nil }
    guard let alias else {
      if let place = places[channelKey] { return place.map { (channel: $0, part: 0) } }
      var made = OpenCapability.fixtureChannel(channel, channelKey, wheels, &draft)
      wheelWords.name(&made, channelKey)
      let place = draft.add(made)
      places.updateValue(place, forKey: channelKey)
      return place.map { (channel: $0, part: 0) }
    }
    // In fixture files each finer byte needs, before it, a coarser byte that has no finer one yet.
    func count(_ place: Int, _ part: Int) -> Int { before.count { $0.map { $0 == (place, part) } ?? false } }
    guard case let place?? = places[channelKey], count(place, alias.part - 1) > count(place, alias.part)
    else {
      draft.note(.left, key, "a finer byte with no coarser one before it; its slot stays 0")
      return nil
    }
    return (place, alias.part)
  }
}
