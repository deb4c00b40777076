/// A part of the values of a channel of QLC+. [control]
struct QlcRange {
  let first: Int
  let last: Int
  /// What it says it does.
  let text: String
  /// Its preset, such as StrobeFreqRange; empty where it has none.
  let preset: String
  private let resources: [String]
  /// As `#rrggbb`.
  private(set) var color: String?

  /// Reads it; nil where it has no values, which is noted.
  init?(_ element: XmlElement, of channel: String, _ draft: inout FixtureDraft) {
    guard let low = element.value("Min").flatMap({ Int($0) }),
      let high = element.value("Max").flatMap({ Int($0) }),
      FixtureDraft.values.contains(low), FixtureDraft.values.contains(high), low <= high
    else {
      draft.note(.left, channel, "a range whose values are not within 0…255")
      return nil
    }
    (first, last, text) = (low, high, element.text.trimmed)
    preset = element.value("Preset") ?? ""
    resources = ["Res1", "Res2"].compactMap(element.value)
    let isColor = ["ColorMacro", "ColorDoubleMacro"].contains(preset)
    color = Self.color(isColor ? resources.first : element.value("Color"))
    if preset == "ColorDoubleMacro" || element.value("Color2") != nil {
      draft.note(.approximated, channel, "of filters with two colors the first counts")
    }
    if isGobo || preset == "GoboShakeMacro" { draft.note(.left, channel, "the pictures of its gobos") }
    if element.children.contains(where: { $0.name == "Alias" }) {
      draft.note(.left, channel, "that other channels do something else while this one is in a range (Alias)")
    }
  }

  /// A color of a filter; black is none.
  private static func color(_ text: String?) -> String? {
    guard let text, text.utf8.count == 7, text.utf8.first == UInt8(ascii: "#"),
      text.utf8.dropFirst().allSatisfy({ $0 &- 0x30 < 10 || ($0 | 0x20) &- 0x61 < 6 }), text != "#000000"
    else { return nil }
    return text.lowercased()
  }

  /// Whether it is a gobo that stands still.
  var isGobo: Bool {
    preset == "GoboMacro" || preset.isEmpty && text.lowercased().hasPrefix("gobo") && !isMoving
  }
  private var isMoving: Bool {
    ["shak", "rot", "scroll", "->", "<-", ">", "<", "speed", "rainbow"].contains {
      text.lowercased().contains($0)
    }
  }
  /// Whether it is less than all values.
  var isPart: Bool { first > 0 || last < 255 }

  /// With its name alone.
  var named: FixtureDraft.Range {
    let name = FileText.shown(text, most: 56).trimmed
    return FixtureDraft.Range(first: first, last: last, name: name.isEmpty ? nil : name)
  }

  /// Ranges of a wheel, with the places that it has counted from 1: those that are meant, and the open one before them.
  static func wheel(
    _ ranges: [QlcRange], open: String? = nil, _ isPlace: (QlcRange) -> Bool
  ) -> [FixtureDraft.Range] {
    var number = 0
    return ranges.enumerated().map { index, range in
      var made = range.named
      let isOpen = index == 0 && !range.isMoving
      if isPlace(range) || isOpen {
        number += 1
        made.to = ["\(number)"]
        if let open { made.color = range.color ?? open }
      }
      return made
    }
  }

  /// Ranges of a dimmer; none where it goes evenly from dark to full.
  static func brightness(_ ranges: [QlcRange], _ name: String, _ draft: inout FixtureDraft) -> [FixtureDraft
    .Range]
  {
    guard ranges.count > 1 else { return [] }
    let words = ["dim", "intens", "bright", "%", "dark", "master", "low"]
    let widest = ranges.indices.max { one, other in
      func weight(_ range: QlcRange) -> Int {
        range.last - range.first + (words.contains { range.text.lowercased().contains($0) } ? 1000 : 0)
      }
      return weight(ranges[one]) < weight(ranges[other])
    }
    draft.note(
      .approximated, name, "of its ranges the one that seems to dim has a level, the others have names alone")
    return ranges.enumerated().map { index, range in
      var made = range.named
      if index == widest { made.to = range.isFalling ? ["100 %", "0 %"] : ["0 %", "100 %"] }
      return made
    }
  }

  private var isFalling: Bool {
    let text = text.lowercased()
    return [
      "100%-0", "100-0", "100 - 0", "100% - 0", "100% to 0", "bright to dark", "max to min", "full to off",
    ]
    .contains { text.contains($0) }
  }

  /// Ranges of a shutter: steady light is 0 Hz, strobes have the frequencies that are given.
  static func strobe(_ ranges: [QlcRange], _ name: String, _ draft: inout FixtureDraft) -> [FixtureDraft
    .Range]
  {
    var isGuessed = false
    return ranges.map { range in
      var made = range.named
      switch range.preset {
      case "ShutterOpen": made.to = ["0 Hz"]
      case "StrobeFrequency", "StrobeFreqRange":
        let ends = range.resources.compactMap { Double($0.replacing(",", with: ".")) }.filter {
          FixtureWords.flashes.contains($0)
        }
        made.to = ends.map { "\(FixtureWords.text($0)) Hz" }
      case "StrobeSlowToFast", "StrobeFastToSlow":
        let told = FixtureWords.hertz(in: range.text)
        let isFalling = range.preset == "StrobeFastToSlow"
        if told.count == 2 {
          made.to = told.map { "\(FixtureWords.text($0)) Hz" }
        } else if !isGuessed {
          isGuessed = true
          made.to = isFalling ? ["25 Hz", "1 Hz"] : ["1 Hz", "25 Hz"]
          draft.note(.approximated, name, "how often it flashes is not given, so 1 to 25 Hz stand in")
        }
      case "":
        let told = FixtureWords.hertz(in: range.text)
        let text = range.text.lowercased()
        let isPlain = !["random", "pulse", "rand", "sound", "audio"].contains { text.contains($0) }
        let isOff =
          name.lowercased().contains("strob") && ["off", "none", "no", "0", "disabled"].contains(text)
        if isOff || FixtureWords.isOpen(range.text) {
          made.to = ["0 Hz"]
        } else if isPlain, text.contains("strob") || told.count == 2, range.last > range.first {
          if told.count == 2 {
            made.to = told.map { "\(FixtureWords.text($0)) Hz" }
          } else if !isGuessed {
            isGuessed = true
            let isFalling =
              text.contains("fast to slow") || text.contains("fast->slow") || text.contains("fast - slow")
            made.to = isFalling ? ["25 Hz", "1 Hz"] : ["1 Hz", "25 Hz"]
            draft.note(.approximated, name, "how often it flashes is not given, so 1 to 25 Hz stand in")
          }
        }
      default: break
      }
      return made
    }
  }
}
