/// A `<Channel>` of a QLC+ fixture. [control]
struct QlcChannel {
  let name: String
  /// Its preset, such as IntensityRed; empty where it has none.
  let preset: String
  /// Its group, such as Colour; empty where the preset implies it.
  private(set) var group = ""
  /// The color of a dimmer, such as Red.
  private(set) var color = ""
  /// Which byte of a value of several bytes the channel sets, 0 for the coarse one. A preset has that in its name.
  private var byte = 0
  /// The default value, 0…255.
  private let initial: Int?
  private(set) var ranges: [QlcRange] = []
  /// The index of the channel in the draft; nil for a finer byte, or a channel without a function.
  var index: Int?

  init(_ element: XmlElement, _ name: String, _ draft: inout FixtureDraft) {
    self.name = name
    preset = element.value("Preset") ?? ""
    initial = element.value("Default").flatMap { Int($0) }.flatMap {
      FixtureDraft.values.contains($0) ? $0 : nil
    }
    for child in element.children {
      switch child.name {
      case "Group":
        group = child.text
        byte = child.value("Byte").flatMap { Int($0) } ?? 0
      case "Colour": color = child.text
      case "Capability":
        if let range = QlcRange(child, of: name, &draft) { ranges.append(range) }
      default: draft.note(.left, "<\(child.name)> of \(name)", "not known to visgraph")
      }
    }
    for attribute in element.attributes where !["Name", "Preset", "Default"].contains(attribute.name) {
      draft.note(.left, "attribute \(attribute.name) of \(name)", "not known to visgraph")
    }
  }

  /// Whether the channel is the coarse byte of its value.
  var isCoarse: Bool { !preset.hasSuffix("Fine") && byte == 0 }
  /// Whether the channel has no function.
  var hasNoFunction: Bool {
    preset == "NoFunction" || preset.isEmpty && group == "Nothing" && ranges.count < 2
  }

  /// A key that a coarse byte and its finer bytes have in common.
  var family: String {
    let plain = preset.hasSuffix("Fine") ? String(preset.dropLast(4)) : preset
    switch plain {
    case "IntensityMasterDimmer": return "IntensityDimmer"
    case "": break
    default:
      for common in ["BeamZoom", "BeamFocus", "ShutterIris", "ColorWheel", "GoboIndex", "GoboWheel"]
      where plain.hasPrefix(common) {
        return common.hasPrefix("Gobo") ? "Gobo" : common.hasPrefix("Color") ? "Colour" : common
      }
      return plain
    }
    switch group {
    case "Pan", "Tilt": return "Position\(group)"
    case "Intensity": return color.isEmpty || color == "Generic" ? "IntensityDimmer" : "Intensity\(color)"
    case "Shutter" where name.lowercased().contains("iris"): return "ShutterIris"
    case "Beam" where name.lowercased().contains("zoom"): return "BeamZoom"
    case "Beam" where name.lowercased().contains("focus"): return "BeamFocus"
    default: return group
    }
  }

  /// The number of leading letters that two names have in common.
  func likeness(to other: String) -> Int {
    zip(name.lowercased().unicodeScalars, other.lowercased().unicodeScalars).prefix { $0 == $1 }.count
  }

  /// Converts the channel to one of a fixture file.
  func fixtureChannel(_ physical: QlcPhysical, _ draft: inout FixtureDraft) -> FixtureDraft.Channel {
    var channel = FixtureDraft.Channel(key: name, word: FixtureWords.own(name), initial: initial)
    if let known = QlcPreset(preset) {
      known.fill(&channel, physical, &draft)
    } else if !preset.isEmpty {
      draft.note(
        .approximated, name,
        "becomes a level 0…1 under its own name; \(FileText.shown(preset)) has no unit in visgraph")
    } else {
      fill(&channel, physical, &draft)
    }
    // A single range that does not cover all values is kept as well, because the other values have no function.
    if channel.ranges.isEmpty, channel.range == nil,
      ranges.count > 1 || preset.isEmpty && ranges.contains(where: \.isPartial)
    {
      channel.ranges = ranges.map(\.named)
    }
    if preset.isEmpty, ranges.count == 1, channel.ranges.isEmpty, !ranges[0].text.isEmpty {
      draft.note(.left, name, "the name of its only range")
    }
    if channel.ranges.contains(where: { $0.quantities.isEmpty && $0.name != nil }) {
      draft.note(.approximated, name, "ranges without a unit have names alone, for `set` of lights")
    }
    return channel
  }

  /// Whether a channel of the group Intensity is a dimmer. One with fewer than two ranges counts as one. Of the others
  /// the name or a range has to say so, because lamp controls are in that group, too.
  private var isDimmer: Bool {
    let texts = [name] + ranges.map(\.text)
    return ranges.count < 2
      || texts.contains { text in
        ["dim", "intens", "bright", "%"].contains { text.lowercased().contains($0) }
      }
  }

  /// Sets the word and the ranges of a channel without a preset, by its group and its capabilities.
  private func fill(
    _ channel: inout FixtureDraft.Channel, _ physical: QlcPhysical, _ draft: inout FixtureDraft
  ) {
    switch group {
    case "Pan" where ranges.count < 2: QlcPreset("PositionPan")?.fill(&channel, physical, &draft)
    case "Tilt" where ranges.count < 2: QlcPreset("PositionTilt")?.fill(&channel, physical, &draft)
    case "Intensity":
      guard let color = FixtureWords.color(self.color) ?? (isDimmer ? "dimmer" : nil) else { break }
      channel.word = color
      channel.ranges = QlcRange.brightness(ranges, name, &draft)
    case "Colour":
      let counted = QlcRange.wheel(ranges, open: "#ffffff") { $0.color != nil }
      let temperatures = ranges.count == 1 ? FixtureWords.kelvins(in: ranges[0].text) : []
      if temperatures.count == 2 {
        channel.word = "temperature"
        channel.range = ("\(temperatures[0]) K", "\(temperatures[1]) K")
      } else if ranges.count(where: { $0.color != nil }) > 1 {
        (channel.word, channel.ranges) = ("color wheel", counted)
      }
    case "Gobo":
      let counted = QlcRange.wheel(ranges) { $0.isGobo }
      if ranges.contains(where: \.isGobo) { (channel.word, channel.ranges) = ("gobo", counted) }
    case "Prism" where ranges.contains(where: { $0.preset == "PrismEffectOn" }):
      (channel.word, channel.ranges) = (
        "prism", QlcRange.wheel(ranges) { ["PrismEffectOn", "PrismEffectOff"].contains($0.preset) }
      )
    case "Shutter":
      let flashes = QlcRange.strobe(ranges, name, &draft)
      // Without a range of steady light, at 0 Hz, the lamp could not stop flashing.
      if flashes.contains(where: { $0.quantities == ["0 Hz"] }) {
        (channel.word, channel.ranges) = ("strobe", flashes)
      }
    default: break
    }
  }
}
