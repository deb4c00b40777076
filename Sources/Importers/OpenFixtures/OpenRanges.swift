/// Converts the capabilities of one channel to ranges. [control]
struct OpenRanges {
  /// The type of capability that decides what the channel is.
  let kind: String
  let channel: String
  /// The bytes of the channel's value, 1…3.
  let width: Int
  /// The slots of the channel's wheel; empty: none.
  let wheel: [JsonNode]
  /// Whether a range of the channel has guessed flash rates. Only the first may, because equal ranges are of no use.
  private var isGuessed = false
  /// The number of prism positions so far.
  private var prisms = 0
  /// Which kinds of values the ranges so far have; they decide the word of the channel.
  private var (hasGobo, hasColor, hasNumber) = (false, false, false)

  init(kind: String, channel: String, width: Int, wheel: [JsonNode]) {
    (self.kind, self.channel, self.width, self.wheel) = (kind, channel, width, wheel)
  }

  /// The word of the channel, after its ranges were made; nil: its own name.
  func word(_ ranges: [FixtureDraft.ValueRange]) -> String? {
    switch kind {
    case "Intensity": hasNumber ? "dimmer" : nil
    // Without a range of steady light, at 0 Hz, the lamp could not stop flashing.
    case "ShutterStrobe": ranges.contains { $0.quantities == ["0 Hz"] } ? "strobe" : nil
    case "WheelSlot": !hasNumber ? nil : hasColor ? "color wheel" : hasGobo ? "gobo" : nil
    case "Prism": "prism"
    case "ColorTemperature": hasNumber ? "temperature" : nil
    case "Pan", "Tilt", "Zoom": hasNumber ? kind.lowercased() : nil
    default: nil
    }
  }

  /// Converts one capability. Nil, with a note, where it has no valid values.
  mutating func range(_ capability: JsonNode, _ draft: inout FixtureDraft) -> FixtureDraft.ValueRange? {
    let ends = (capability["dmxRange"]?.values ?? []).compactMap { $0.number.flatMap { Int(exactly: $0) } }
    let most = (1 << (8 * width)) - 1
    guard ends.count == 2, (0...most).contains(ends[0]), (ends[0]...most).contains(ends[1]) else {
      draft.note(.left, channel, "a range whose values are none of its slots")
      return nil
    }
    let finer = 8 * (width - 1)
    if ends[0] & (1 << finer - 1) != 0 || ends[1] & (1 << finer - 1) != 1 << finer - 1 {
      draft.note(.approximated, channel, "ranges end between two values of the first slot, and here at them")
    }
    var made = FixtureDraft.ValueRange(
      first: ends[0] >> finer, last: ends[1] >> finer, name: name(capability))
    if let numbers = numbers(capability, &draft) {
      made.quantities = numbers
      hasNumber = true
      if kind == "WheelSlot" { made.color = color(capability) }
    }
    return made
  }

  private func name(_ capability: JsonNode) -> String? {
    let slot = slot(capability)
    let text =
      capability["comment"]?.text ?? capability["effectName"]?.text ?? capability["effectPreset"]?.text
      ?? slot?["name"]?.text ?? capability["shutterEffect"]?.text ?? slot?["type"]?.text
      ?? capability["type"]?.text
    let name = FileText.shown(text ?? "", most: 56).trimmed
    return name.isEmpty ? nil : name
  }

  private func slot(_ capability: JsonNode) -> JsonNode? {
    guard let number = capability["slotNumber"]?.number.flatMap({ Int(exactly: $0) }), number > 0,
      number <= wheel.count
    else { return nil }
    return wheel[number - 1]
  }

  /// The color of the wheel's slot as `#rrggbb`; nil: none. Notes whether the wheel has gobos or colors.
  private mutating func color(_ capability: JsonNode) -> String? {
    guard let slot = slot(capability) else { return nil }
    if slot["type"]?.text == "Gobo" { hasGobo = true }
    if slot["type"]?.text == "Open" {
      return wheel.contains { $0["type"]?.text == "Color" } ? "#ffffff" : nil
    }
    guard let text = slot["colors"]?.values.first?.text, text.utf8.count == 7,
      text.utf8.first == UInt8(ascii: "#"),
      text.utf8.dropFirst().allSatisfy({ $0 &- 0x30 < 10 || ($0 | 0x20) &- 0x61 < 6 })
    else { return nil }
    hasColor = true
    return text.lowercased()
  }

  /// The values at both ends in the channel's unit, or one value; nil: none.
  private mutating func numbers(_ capability: JsonNode, _ draft: inout FixtureDraft) -> [String]? {
    func both(_ property: String, _ unit: String, _ written: String) -> [String]? {
      OpenValue.ends(capability, property, unit).map { ends in
        let texts = [ends.low, ends.high].map { "\(FixtureWords.text($0)) \(written)" }
        return ends.low == ends.high ? [texts[0]] : texts
      }
    }
    switch (kind, capability["type"]?.text ?? "") {
    case ("Intensity", "Intensity"): return both("brightness", "%", "%") ?? ["0 %", "100 %"]
    case ("ShutterStrobe", "ShutterStrobe"):
      switch capability["shutterEffect"]?.text {
      case "Open": return ["0 Hz"]
      case "Strobe":
        if let rates = both("speed", "Hz", "Hz") { return rates }
        guard !isGuessed else { return nil }
        isGuessed = true
        draft.note(.approximated, channel, "how often it flashes is not given, so 1 to 25 Hz stand in")
        let isFalling = OpenValue.ends(capability, "speed", "%").map { $0.low > $0.high } ?? false
        return isFalling ? ["25 Hz", "1 Hz"] : ["1 Hz", "25 Hz"]
      default: return nil
      }
    case ("ShutterStrobe", "NoFunction"): return ["0 Hz"]
    case ("WheelSlot", "WheelSlot"):
      guard let number = capability["slotNumber"]?.number, number == number.rounded(),
        (1...255).contains(number)
      else {
        return nil
      }
      return [FixtureWords.text(number)]
    case ("Prism", "NoFunction"), ("Prism", "Prism"):
      prisms += 1
      return ["\(prisms)"]
    case ("Pan", "Pan"), ("Tilt", "Tilt"), ("Zoom", "Zoom"): return both("angle", "deg", "deg")
    case ("ColorTemperature", "ColorTemperature"): return both("colorTemperature", "K", "K")
    default: return nil
    }
  }
}
