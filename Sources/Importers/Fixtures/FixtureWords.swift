/// The words of graph files for functions of slots. [control]
enum FixtureWords {
  /// Words with a meaning in graph files, in lower case, without separators.
  static let known: Set<String> = [
    "dimmer", "intensity", "master", "brightness", "red", "r", "green", "g", "blue", "b", "white", "w",
    "amber",
    "a", "lime", "uv", "ultraviolet", "indigo", "warmwhite", "ww", "coldwhite", "coolwhite", "cw",
    "temperature",
    "colortemperature", "cct", "colorwheel", "colourwheel", "colorwheel2", "colourwheel2", "cyan", "c",
    "magenta",
    "m", "yellow", "y", "pan", "tilt", "zoom", "focus", "iris", "frost", "prism", "gobo", "gobo2",
    "strobe", "shutter", "strobo", "shutterstrobe", "speed", "fog", "smoke", "haze", "fan",
  ]
  /// Words with a meaning in fixture files other than a function.
  private static let others: Set<String> = ["none", "", "~", "null", "fine", "ultra"]

  /// The highest flash rate that graph files take, in Hz.
  private static let mostFlashes = 100.0
  /// The flash rates that graph files take, in Hz.
  static let flashes = 0...mostFlashes

  /// A word for a channel of this name that has no meaning in graph files.
  static func own(_ name: String) -> String {
    var word = FileText.shown(name, most: 48).trimmed
    if word.isEmpty { word = "Unnamed" }
    for ending in ["fine", "ultra"] where word.lowercased().hasSuffix(" \(ending)") { word += " byte" }
    let plain = word.lowercased().filter { !" -_/".contains($0) }
    return known.contains(plain) || others.contains(plain) ? "\(word) channel" : word
  }

  /// The word of a color of a lamp; nil: not such a color.
  static func color(_ name: String) -> String? {
    switch name.lowercased().filter({ !" -_".contains($0) }) {
    case "red": "red"
    case "green": "green"
    case "blue": "blue"
    case "white": "white"
    case "amber": "amber"
    case "uv", "ultraviolet": "uv"
    case "lime": "lime"
    case "indigo": "indigo"
    case "cyan": "cyan"
    case "magenta": "magenta"
    case "yellow": "yellow"
    case "warmwhite": "warm white"
    case "coldwhite", "coolwhite": "cold white"
    default: nil
    }
  }

  /// The shortest text of a number.
  static func text(_ number: Double) -> String { Decimal.text(number) }

  /// Both ends of a travel in degrees, centered on 0.
  static func travel(_ degrees: Double) -> (low: String, high: String) {
    ("\(text(-degrees / 2)) deg", "\(text(degrees / 2)) deg")
  }

  /// Whether a text means the steady light of a shutter.
  static func isOpen(_ text: String) -> Bool {
    let text = text.lowercased()
    let words = text.split { !$0.isLetter }
    return words.contains("open") || words.contains("opened") || text.contains("no strobe")
      || text.contains("strobe off") || text.contains("no function") && !words.contains("closed")
  }

  /// Two color temperatures in a text such as `6900 K to 3200 K`; empty where there are not exactly two in 1500…15000
  /// K.
  static func kelvins(in text: String) -> [Int] {
    guard text.lowercased().contains("k") else { return [] }
    let numbers = text.split { !($0.isNumber && $0.isASCII) }.compactMap { Int($0) }.filter {
      (1500...15_000).contains($0)
    }
    return numbers.count == 2 && numbers[0] != numbers[1] ? numbers : []
  }

  /// The flash rates in a text, in Hz: the last two numbers before `Hz`, such as 1 and 20 in `1 - 20 Hz`, or the only
  /// one. If numbers stand before several `Hz`, they are the last one before each of the last two `Hz`. Empty if one
  /// of them is out of range.
  static func hertz(in text: String) -> [Double] {
    let parts = text.lowercased().split(separator: "hz", omittingEmptySubsequences: false).dropLast()
    let numbers: [[Double]] = parts.map { part in
      part.split { !($0.isNumber && $0.isASCII) && $0 != "." && $0 != "," }
        .compactMap { Double($0.replacing(",", with: ".")) }
    }.filter { !$0.isEmpty }
    let candidates = numbers.count > 1 ? numbers.compactMap(\.last) : numbers.first ?? []
    let last = candidates.suffix(2)
    return last.allSatisfy { flashes.contains($0) } ? Array(last) : []
  }
}

/// Counts the wheels of a fixture. [control]
struct FixtureWheels {
  /// The number of wheels so far, by word.
  private var counts: [String: Int] = [:]

  /// Gives a wheel a word of its own. The first two have settings in graph files; from the third on, a wheel has
  /// names alone.
  mutating func name(_ channel: inout FixtureDraft.Channel, _ name: String) {
    guard ["color wheel", "gobo"].contains(channel.word) else { return }
    counts[channel.word, default: 0] += 1
    switch counts[channel.word] ?? 1 {
    case 1: break
    case 2: channel.word += " 2"
    default:
      channel.word = FixtureWords.own(name)
      for index in channel.ranges.indices {
        (channel.ranges[index].quantities, channel.ranges[index].color) = ([], nil)
      }
    }
  }
}
