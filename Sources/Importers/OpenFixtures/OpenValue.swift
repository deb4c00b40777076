/// Reads values with units of the Open Fixture Library. [control]
enum OpenValue {
  /// The number of bytes of a channel's value, 1…3.
  static func width(of channel: JsonNode) -> Int {
    switch channel["dmxValueResolution"]?.text {
    case "8bit": 1
    case "16bit": 2
    case "24bit": 3
    default: min(3, 1 + (channel["fineChannelAliases"]?.values.count ?? 0))
    }
  }

  /// The default value of the first slot, 0…255.
  static func initial(_ channel: JsonNode, _ width: Int) -> Int? {
    if let number = channel["defaultValue"]?.number, number >= 0, number < Double(1 << (8 * width)) {
      return Int(number) >> (8 * (width - 1))
    }
    guard let text = channel["defaultValue"]?.text, let part = number(text, "%"), part >= 0, part <= 100
    else {
      return nil
    }
    return Int((part * 255 / 100).rounded())
  }

  /// Both ends of a property in a unit; nil where it is not given, or has another unit.
  static func ends(_ capability: JsonNode, _ property: String, _ unit: String) -> (low: Double, high: Double)?
  {
    func value(_ key: String) -> Double? {
      guard let node = capability[key] else { return nil }
      return node.text.flatMap { number($0, unit) } ?? (unit.isEmpty ? node.number : nil)
    }
    if let both = value(property) { return (both, both) }
    guard let low = value(property + "Start"), let high = value(property + "End") else { return nil }
    return (low, high)
  }

  /// The percentages of the format's keywords.
  private static let words: [String: Double] = [
    "off": 0, "dark": 1, "bright": 100, "stop": 0, "slow": 1, "fast": 100, "slow CW": 1, "fast CW": 100,
    "slow CCW": -1, "fast CCW": -100, "near": 1, "far": 100, "closed": 0, "open": 100, "narrow": 1,
    "wide": 100,
    "low": 1, "high": 100, "weak": 1, "strong": 100, "warm": -100, "CTO": -100, "default": 0, "cold": 100,
    "CTB": 100,
    "slow reverse": -1, "fast reverse": -100,
  ]

  /// A number in `unit`: `20Hz`, `600bpm` as Hz, `50%`, `fast` as percent; nil for any other text.
  private static func number(_ text: String, _ unit: String) -> Double? {
    if unit == "%", let word = words[text] { return word }
    func figures(_ ending: String) -> Double? {
      guard text.hasSuffix(ending) else { return nil }
      let number = Double(text.dropLast(ending.count))
      return number.flatMap { $0.isFinite && abs($0) < 50_000 ? $0 : nil }
    }
    let number = figures(unit) ?? (unit == "Hz" ? figures("bpm").map { $0 / 60 } : nil)
    // Graph files take a limited range of flash rates.
    return number.flatMap { unit == "Hz" && !FixtureWords.flashes.contains($0) ? nil : $0 }
  }
}
