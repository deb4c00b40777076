/// Converts channels of the Open Fixture Library by their capabilities. [control]
enum OpenCapability {
  /// The capabilities of a channel, in the order of its values.
  static func all(of channel: JsonNode) -> [JsonNode] {
    if let one = channel["capability"] { return [one] }
    return channel["capabilities"]?.values ?? []
  }

  /// Whether the slot has no function.
  static func isNothing(_ channel: JsonNode) -> Bool {
    let all = all(of: channel)
    return !all.isEmpty && all.allSatisfy { $0["type"]?.text == "NoFunction" }
  }

  /// The types of capabilities that decide what a channel is; the first that occurs counts.
  private static let deciding = [
    "Intensity", "ColorIntensity", "Pan", "Tilt", "ShutterStrobe", "Zoom", "Focus", "Iris", "Frost",
    "ColorTemperature", "WheelSlot", "Prism", "PanTiltSpeed", "FogOutput", "Fog",
  ]

  /// Converts the channel to one of a fixture file.
  static func fixtureChannel(
    _ channel: JsonNode, _ key: String, _ wheels: [String: [JsonNode]], _ draft: inout FixtureDraft
  ) -> FixtureDraft.Channel {
    let all = all(of: channel)
    for (name, _) in channel.pairs
    where ![
      "name", "fineChannelAliases", "dmxValueResolution", "defaultValue", "capability", "capabilities",
    ].contains(name) {
      draft.note(.left, name, "of channels, visgraph has no use for it")
    }
    let name = channel["name"]?.text ?? key
    let width = OpenValue.width(of: channel)
    var made = FixtureDraft.Channel(key: key, word: FixtureWords.own(name))
    made.initial = OpenValue.initial(channel, width)
    let types = Set(all.compactMap { $0["type"]?.text })
    let kind = deciding.first(where: types.contains) ?? ""
    if all.count == 1, let only = all.first {
      fill(&made, kind, only, &draft)
      return made
    }
    var reader = OpenRanges(kind: kind, channel: name, width: width, wheel: wheel(all, name, wheels))
    made.ranges = all.compactMap { reader.range($0, &draft) }
    if let word = reader.word(made.ranges) {
      made.word = word
    } else {
      // A channel that has its own name as its word has no unit.
      for index in made.ranges.indices {
        (made.ranges[index].quantities, made.ranges[index].color) = ([], nil)
      }
    }
    if made.ranges.contains(where: { $0.quantities.isEmpty && $0.name != nil }) {
      draft.note(.approximated, key, "ranges without a unit have names alone, for `set` of lights")
    }
    return made
  }

  /// The slots of the wheel that the first capability with a wheel names; else those of the wheel with the channel's
  /// name.
  private static func wheel(_ all: [JsonNode], _ name: String, _ wheels: [String: [JsonNode]]) -> [JsonNode] {
    let named = all.compactMap { $0["wheel"]?.text ?? $0["wheel"]?.values.first?.text }.first
    return wheels[named ?? name] ?? []
  }

  /// Sets a channel with one capability over all its values.
  private static func fill(
    _ made: inout FixtureDraft.Channel, _ kind: String, _ capability: JsonNode, _ draft: inout FixtureDraft
  ) {
    func guess(_ what: String) { draft.note(.approximated, made.key, what) }
    switch kind {
    case "Intensity": made.word = "dimmer"
    case "ColorIntensity":
      guard let word = capability["color"]?.text.flatMap(FixtureWords.color) else {
        return guess("a color without a word")
      }
      made.word = word
    case "Pan", "Tilt":
      made.word = kind.lowercased()
      guard let ends = OpenValue.ends(capability, "angle", "deg"), ends.low != ends.high else {
        return guess("its travel is not given, so that of channels without a range stands in")
      }
      let middle = (ends.low + ends.high) / 2
      made.range = (
        "\(FixtureWords.text(ends.low - middle)) deg", "\(FixtureWords.text(ends.high - middle)) deg"
      )
    case "ShutterStrobe" where capability["shutterEffect"]?.text == "Strobe":
      made.word = "strobe"
      if let ends = OpenValue.ends(capability, "speed", "Hz"), ends.low != ends.high {
        made.range = ("\(FixtureWords.text(ends.low)) Hz", "\(FixtureWords.text(ends.high)) Hz")
      } else {
        made.range = ("0 Hz", "25 Hz")
        guess("how often it flashes is not given, so 0 to 25 Hz stand in")
      }
    case "Zoom":
      made.word = "zoom"
      if let ends = OpenValue.ends(capability, "angle", "deg"), ends.low != ends.high {
        made.range = ("\(FixtureWords.text(ends.low)) deg", "\(FixtureWords.text(ends.high)) deg")
      } else {
        guess("its angles are not given, so 5 to 50 degrees stand in")
        if let ends = OpenValue.ends(capability, "angle", "%"), ends.low > ends.high {
          made.range = ("50 deg", "5 deg")
        }
      }
    case "Focus": setPercent(of: &made, capability, "distance", "focus")
    case "Iris":
      setPercent(of: &made, capability, "openPercent", "iris")
      // An iris at rest is open.
      made.initial = made.initial ?? (made.range == nil ? 255 : 0)
    case "Frost": setPercent(of: &made, capability, "frostIntensity", "frost")
    case "PanTiltSpeed": setPercent(of: &made, capability, "speed", "speed")
    case "FogOutput", "Fog": setPercent(of: &made, capability, "fogOutput", "fog")
    case "ColorTemperature":
      guard let ends = OpenValue.ends(capability, "colorTemperature", "K"), ends.low != ends.high else {
        fallthrough
      }
      made.word = "temperature"
      made.range = ("\(FixtureWords.text(ends.low)) K", "\(FixtureWords.text(ends.high)) K")
    default:
      let type = capability["type"]?.text ?? ""
      if type != "Generic" {
        guess("becomes a level 0…1 under its own name; \(FileText.shown(type)) has no unit in visgraph")
      }
    }
  }

  /// Sets a channel in percent. It has a range only where the percentage falls.
  private static func setPercent(
    of made: inout FixtureDraft.Channel, _ capability: JsonNode, _ property: String, _ word: String
  ) {
    made.word = word
    guard let ends = OpenValue.ends(capability, property, "%"), ends.low > ends.high else { return }
    made.range = ("\(FixtureWords.text(ends.low)) %", "\(FixtureWords.text(ends.high)) %")
    made.initial = made.initial ?? 0
  }
}
