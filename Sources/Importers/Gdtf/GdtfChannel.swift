import Glibc
import System

/// A `<DMXChannel>` of a mode in GDTF. [control]
struct GdtfChannel {
  /// A `<ChannelFunction>`: a range of DMX values, 0…255, with an attribute.
  private struct Function {
    let name: String
    let attribute: String
    let first: Int
    var last = 255
    let physical: (from: Double, to: Double)
    let wheel: String
    let sets: [XmlElement]
  }

  private let name: String
  private var functions: [Function] = []
  /// The default value of the coarse byte, 0…255.
  private var initial: Int?
  /// The slots of each wheel, by its name.
  private let wheels: [String: [GdtfWheelSlot]]

  /// The words of fixture files for attributes of GDTF.
  private static let words = [
    "Dimmer": "dimmer", "Pan": "pan", "Tilt": "tilt", "Zoom": "zoom", "Focus1": "focus", "Iris": "iris",
    "Frost1": "frost",
    "ColorAdd_R": "red", "ColorAdd_G": "green", "ColorAdd_B": "blue", "ColorAdd_W": "white",
    "ColorAdd_RY": "amber",
    "ColorAdd_GY": "lime", "ColorAdd_UV": "uv", "ColorAdd_BM": "indigo", "ColorAdd_WW": "warm white",
    "ColorAdd_CW": "cold white", "ColorSub_C": "cyan", "ColorSub_M": "magenta", "ColorSub_Y": "yellow",
    "ColorRGB_Red": "red", "ColorRGB_Green": "green", "ColorRGB_Blue": "blue", "CTO": "temperature",
    "CTC": "temperature", "CTB": "temperature", "Fog1": "fog", "Haze1": "fog", "Fan1": "fan",
  ]

  /// Reads a channel. Notes the functions that depend on another channel, but for the first.
  init(_ element: XmlElement, width: Int, _ wheels: [String: [GdtfWheelSlot]], _ draft: inout FixtureDraft) {
    self.wheels = wheels
    let logical = element.children.filter { $0.name == "LogicalChannel" }
    let attribute = logical.first?.value("Attribute") ?? ""
    name = attribute.isEmpty ? "Channel" : attribute
    if logical.count > 1 { draft.note(.left, name, "its second logical channel") }
    var seen: Set<Int> = []
    for child in logical.first?.children ?? [] where child.name == "ChannelFunction" {
      guard let first = Self.coarse(child.value("DMXFrom") ?? "0/1") else {
        draft.note(.left, name, "a function whose values are none of its slots")
        continue
      }
      guard seen.insert(first).inserted else {
        draft.note(.approximated, name, "of functions that another channel chooses, the first counts")
        continue
      }
      func number(_ key: String, _ other: Double) -> Double {
        let number = child.value(key).flatMap { Double($0) } ?? other
        return number.isFinite && abs(number) < 50_000 ? number : other
      }
      functions.append(
        Function(
          name: child.value("Name") ?? "", attribute: child.value("Attribute") ?? attribute, first: first,
          physical: (number("PhysicalFrom", 0), number("PhysicalTo", 1)), wheel: child.value("Wheel") ?? "",
          sets: child.children.filter { $0.name == "ChannelSet" }))
      if initial == nil, let value = child.value("Default") { initial = Self.coarse(value) }
    }
    if let value = element.value("Default") { initial = Self.coarse(value) }
    functions.sort { $0.first < $1.first }
    for index in functions.indices.dropLast() { functions[index].last = functions[index + 1].first - 1 }
  }

  /// The value of the coarse byte in `128/1`, `32768/2` or `255/1s`, 0…255; nil: not a valid value.
  private static func coarse(_ text: String) -> Int? {
    let parts = text.split(separator: "/")
    guard let number = parts.first.flatMap({ Int($0) }), number >= 0 else { return nil }
    let bytes = parts.count > 1 ? Int(parts[1].filter { $0 != "s" }) ?? 0 : 1
    guard (1...4).contains(bytes), number >> (8 * bytes) == 0 else { return nil }
    return number >> (8 * (bytes - 1))
  }

  /// Converts the channel to one of a fixture file.
  func fixtureChannel(_ draft: inout FixtureDraft) -> FixtureDraft.Channel {
    var channel = FixtureDraft.Channel(key: name, word: word ?? FixtureWords.own(name), initial: initial)
    if functions.count == 1, functions[0].first == 0, functions[0].sets.count < 3,
      let only = endValues(functions[0]),
      only.count == 2
    {
      channel.range = (only[0], only[1])
      if only == ["0 %", "100 %"] { channel.range = nil }
      return channel
    }
    for function in functions { channel.ranges += ranges(function) }
    if !channel.ranges.contains(where: { !$0.quantities.isEmpty }) || isEndless(channel) {
      channel.word = FixtureWords.own(name)
      for index in channel.ranges.indices { channel.ranges[index].quantities = [] }
    }
    if channel.ranges.contains(where: { $0.quantities.isEmpty && $0.name != nil }) {
      draft.note(.approximated, name, "ranges without a unit have names alone, for `set` of lights")
    }
    return channel
  }

  /// Whether a strobe has no range of steady light, at 0 Hz, so that it could not stop flashing.
  private func isEndless(_ channel: FixtureDraft.Channel) -> Bool {
    channel.word == "strobe" && !channel.ranges.contains { $0.quantities.first == "0 Hz" }
  }

  /// The word for the channel's function, by its first function that has one.
  private var word: String? {
    for function in functions {
      if let word = Self.words[function.attribute] { return word }
      switch function.attribute {
      case "Shutter1", "Shutter1Strobe", "StrobeFrequency": return "strobe"
      case "Gobo1", "Gobo1SelectSpin", "Gobo1SelectShake": return "gobo"
      case "Gobo2", "Gobo2SelectSpin", "Gobo2SelectShake": return "gobo 2"
      case "Color1": return "color wheel"
      case "Color2": return "color wheel 2"
      default: continue
      }
    }
    return nil
  }

  /// The quantities at both ends of a function, with the channel's unit; nil: it has none.
  private func endValues(_ function: Function) -> [String]? {
    guard let word else { return nil }
    let (from, to) = function.physical
    func both(_ unit: String, _ factor: Double = 1) -> [String] {
      [from, to].map { "\(FixtureWords.text($0 * factor)) \(unit)" }
    }
    switch word {
    case "strobe":
      guard ["Shutter1Strobe", "StrobeFrequency"].contains(function.attribute) else { return nil }
      return from >= 0 && to >= 0 && max(from, to) <= 100 && from != to ? both("Hz") : nil
    case "gobo", "gobo 2", "color wheel", "color wheel 2": return nil
    default:
      guard Self.words[function.attribute] == word, from != to else { return nil }
      switch word {
      case "pan", "tilt", "zoom": return both("deg")
      case "temperature": return min(from, to) >= 1000 ? both("K") : nil
      default: return min(from, to) >= 0 && max(from, to) <= 1 ? both("%", 100) : ["0 %", "100 %"]
      }
    }
  }

  /// The range of a function, and those of its `<ChannelSet>`s that have a name.
  private func ranges(_ function: Function) -> [FixtureDraft.ValueRange] {
    func named(_ text: String?) -> String? {
      let name = FileText.shown(text ?? "", most: 56).trimmed
      return name.isEmpty ? nil : name
    }
    let whole = FixtureDraft.ValueRange(
      first: function.first, last: max(function.first, function.last), quantities: endValues(function) ?? [],
      name: named(function.name))
    var sets: [FixtureDraft.ValueRange] = []
    let starts = function.sets.map { Self.coarse($0.value("DMXFrom") ?? "") }
    for (index, set) in function.sets.enumerated() {
      guard let first = starts[index], let name = named(set.value("Name")), first >= function.first else {
        continue
      }
      let next = starts[(index + 1)...].lazy.compactMap { $0 }.first ?? function.last + 1
      var range = FixtureDraft.ValueRange(first: first, last: max(first, min(255, next - 1)), name: name)
      let isOpen = set.value("PhysicalFrom").flatMap { Double($0) } == 1 || FixtureWords.isOpen(name)
      if function.attribute == "Shutter1", isOpen {
        range.quantities = ["0 Hz"]
      }
      let number = set.value("WheelSlotIndex").flatMap { Int($0) } ?? 0
      if ["Gobo1", "Gobo2", "Color1", "Color2"].contains(function.attribute), (1...255).contains(number) {
        range.quantities = ["\(number)"]
        let slots = wheels[function.wheel] ?? []
        if function.attribute.hasPrefix("Color"), number <= slots.count {
          range.color = slots[number - 1].color
        }
      }
      sets.append(range)
    }
    // If the sets have values of their own, the function's range is left out.
    return sets.contains { !$0.quantities.isEmpty } && whole.quantities.isEmpty ? sets : [whole] + sets
  }
}

/// A `<Slot>` of a wheel in GDTF. [control]
struct GdtfWheelSlot {
  /// The color as `#rrggbb`; nil: not given.
  let color: String?

  init(_ element: XmlElement) {
    let parts = (element.value("Color") ?? "").split(separator: ",").compactMap {
      Double($0.filter { $0 != " " })
    }
    color = parts.count == 3 ? Self.color(x: parts[0], y: parts[1]) : nil
  }

  /// The sRGB color of a chromaticity x, y (CIE 1931), scaled so that its largest component is 1.
  private static func color(x: Double, y: Double) -> String? {
    guard x > 0.001, x <= 1, y > 0.001, y <= 1 else { return nil }
    // The tristimulus values X and Z for Y = 1, then the matrix from XYZ to linear sRGB (IEC 61966-2-1).
    let (largeX, largeZ) = (x / y, (1 - x - y) / y)
    let linear = [
      3.2406 * largeX - 1.5372 - 0.4986 * largeZ, -0.9689 * largeX + 1.8758 + 0.0415 * largeZ,
      0.0557 * largeX - 0.2040 + 1.0570 * largeZ,
    ].map { max(0, $0) }
    guard let most = linear.max(), most > 0 else { return nil }
    let digits = linear.map { part -> String in
      let light = part / most
      let value = light <= 0.003_130_8 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
      return String(hexadecimal: Int((value * 255).rounded()), digits: 2)
    }
    return "#" + digits.joined()
  }
}
