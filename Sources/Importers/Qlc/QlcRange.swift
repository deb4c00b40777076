/// A range of a channel's DMX values, with a label: a `<Capability>` of QLC+. [control]
struct QlcRange {
  let first: Int
  let last: Int
  /// Its label.
  let text: String
  /// Its preset, such as StrobeFreqRange; empty where it has none.
  let preset: String
  /// The preset's values, Res1 and Res2: colors, frequencies in Hz, or a picture file.
  private let resources: [String]
  /// The color as `#rrggbb`; nil: none.
  private(set) var color: String?

  /// Reads the element; nil, with a note, where Min and Max are no range within 0…255.
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

  /// The color of a filter; nil for black, and for an invalid text.
  private static func color(_ text: String?) -> String? {
    guard let text, text.count == 7, text.utf8.count == 7, text.utf8.first == UInt8(ascii: "#"),
      text.dropFirst().allSatisfy({ $0.isASCII && $0.isHexDigit }), text != "#000000"
    else { return nil }
    return text.lowercased()
  }

  /// Whether the range is a gobo that does not move.
  var isGobo: Bool {
    preset == "GoboMacro" || preset.isEmpty && text.lowercased().hasPrefix("gobo") && !isMoving
  }
  private var isMoving: Bool {
    let text = text.lowercased()
    // "Rot" alone is the German word for red.
    return ["shak", "scroll", ">", "<", "speed", "rainbow"].contains { text.contains($0) }
      || words.contains { $0.hasPrefix("rot") && $0 != "rot" }
  }
  /// The words of the label, in lower case.
  private var words: [Substring] { text.lowercased().split { !$0.isLetter && $0 != "%" } }
  /// Whether it covers only a part of 0…255.
  var isPartial: Bool { first > 0 || last < 255 }

  /// The range for a fixture file, with its name and without numbers.
  var named: FixtureDraft.ValueRange {
    let name = FileText.shown(text, most: 56).trimmed
    return FixtureDraft.ValueRange(first: first, last: last, name: name.isEmpty ? nil : name)
  }

  /// The ranges of a wheel, with its positions numbered from 1. Positions are the ranges for which `isPlace` is true,
  /// and the first range unless it moves. At the first position light passes without a filter, in the color `open`.
  static func wheel(
    _ ranges: [QlcRange], open: String? = nil, _ isPlace: (QlcRange) -> Bool
  ) -> [FixtureDraft.ValueRange] {
    var number = 0
    return ranges.enumerated().map { index, range in
      var made = range.named
      let isOpen = index == 0 && !range.isMoving
      if isPlace(range) || isOpen {
        number += 1
        made.quantities = ["\(number)"]
        if let open { made.color = range.color ?? open }
      }
      return made
    }
  }

  /// The ranges of a dimmer; empty where a single range rises from dark to full, as usual.
  static func brightness(
    _ ranges: [QlcRange], _ name: String, _ draft: inout FixtureDraft
  ) -> [FixtureDraft.ValueRange] {
    guard ranges.count > 1 || ranges.first?.isFalling == true else { return [] }
    let dimming = ranges.indices.max { one, other in
      let (one, other) = (ranges[one], ranges[other])
      return (one.isCalledDimmer ? 1 : 0, one.last - one.first) < (
        other.isCalledDimmer ? 1 : 0, other.last - other.first
      )
    }
    if ranges.count > 1 {
      draft.note(
        .approximated, name,
        "of its ranges the one that seems to dim has a level, the others have names alone")
    }
    return ranges.enumerated().map { index, range in
      var made = range.named
      if index == dimming { made.quantities = range.isFalling ? ["100 %", "0 %"] : ["0 %", "100 %"] }
      return made
    }
  }

  /// Whether the label speaks of dimming.
  private var isCalledDimmer: Bool {
    let text = text.lowercased()
    return ["dim", "intens", "bright", "%", "dark", "master"].contains { text.contains($0) }
      || words.contains("low")
  }

  /// Whether the label says that the light falls as the value rises.
  private var isFalling: Bool {
    let text = text.lowercased()
    return [
      "100%-0", "100-0", "100 - 0", "100% - 0", "100% to 0", "bright to dark", "max to min", "full to off",
    ]
    .contains { text.contains($0) }
  }

  /// The ranges of a shutter. Steady light is 0 Hz; strobes have the frequencies that the file gives.
  static func strobe(
    _ ranges: [QlcRange], _ name: String, _ draft: inout FixtureDraft
  ) -> [FixtureDraft.ValueRange] {
    // Only the first range without frequencies gets guessed ones, because several equal ranges would be of no use.
    var isGuessed = false
    func guess(falling: Bool) -> [String] {
      if isGuessed { return [] }
      isGuessed = true
      draft.note(.approximated, name, "how often it flashes is not given, so 1 to 25 Hz stand in")
      return falling ? ["25 Hz", "1 Hz"] : ["1 Hz", "25 Hz"]
    }
    return ranges.map { range in
      var made = range.named
      switch range.preset {
      case "ShutterOpen": made.quantities = ["0 Hz"]
      case "StrobeFrequency", "StrobeFreqRange":
        let ends = range.resources.compactMap { Double($0.replacing(",", with: ".")) }.filter { $0 >= 0 }
        let limited = ends.map { min($0, FixtureWords.flashes.upperBound) }
        if limited != ends {
          draft.note(
            .approximated, name,
            "flashes beyond \(FixtureWords.text(FixtureWords.flashes.upperBound)) Hz end there")
        }
        made.quantities = limited.map { "\(FixtureWords.text($0)) Hz" }
      case "StrobeSlowToFast", "StrobeFastToSlow":
        let isFalling = range.preset == "StrobeFastToSlow"
        let hertz = FixtureWords.hertz(in: range.text).sorted { isFalling ? $0 > $1 : $0 < $1 }
        made.quantities =
          hertz.count == 2 ? hertz.map { "\(FixtureWords.text($0)) Hz" } : guess(falling: isFalling)
      case "": made.quantities = range.flashes(of: name, guess)
      default: break
      }
      return made
    }
  }

  /// The flash rates of a range without a preset, by its label: 0 Hz for steady light, two frequencies, or those of
  /// `guess`.
  private func flashes(of name: String, _ guess: (_ falling: Bool) -> [String]) -> [String] {
    let text = text.lowercased()
    let isOff = name.lowercased().contains("strob") && ["off", "none", "no", "0", "disabled"].contains(text)
    if isOff || FixtureWords.isOpen(text) { return ["0 Hz"] }
    let hertz = FixtureWords.hertz(in: text)
    guard last > first, text.contains("strob") || hertz.count == 2,
      !["random", "pulse", "rand", "sound", "audio"].contains(where: { text.contains($0) })
    else { return [] }
    if hertz.count == 2 { return hertz.map { "\(FixtureWords.text($0)) Hz" } }
    return guess(["fast to slow", "fast->slow", "fast - slow"].contains { text.contains($0) })
  }
}
