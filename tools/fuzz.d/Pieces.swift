/// Small pieces of text and bytes that go wrong in files.
enum Pieces {
  private static let nastyTexts = [
    "{", "}", "[", "]", ": ", "- ", "\n", "  ", "\t", "\"", "'", "&a ", "*a", "!t ", "!!binary ", "${a}",
    "${", "$${",
    "${rig}", "->", "|\n", ">-\n", "---\n", "...\n", "#", "nan", ".", ",", "<<: ", "? ", "%YAML 1.1\n",
    "\r\n", "\r",
    "\u{0}", "\u{85}", "\u{2028}", "\u{202E}", "\u{FEFF}", "\u{1B}[2J", "日本語", "é", "e\u{301}", "👩‍👩‍👧‍👦", "ﬀ", "İ",
    "\u{10FFFF}", "\u{E000}", "\\x00", "\"\\u0000\"", "\"\\ud800\"", "\\N", "@", "`", "~", "null", "true",
    "0x10",
  ]
  private static let brokenTexts: [[UInt8]] = [
    [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82], [0xFF, 0xFE], [0x7F],
    [0x1B],
  ]
  private static let numbers = [
    "0", "-0", "1", "-1", "2", "3", "0.5", "1e-320", "1e308", "-1e308", "1e309", "1e999999999",
    "1e-999999999",
    "99999999999", "9223372036854775807", "9223372036854775808", "-9223372036854775809", "4294967295",
    "4294967296",
    "65536", "1024", "4096", "512", "16", "64", "1000", "999.9999999999", "0.001", "1000000", "100", "-160",
    "-200",
    "nan", "inf", "-inf", ".5", "5.", "+1", "0x10", "1_000", "1,5", "00012", "٣", "1/3", "1/0", "30000/1001",
    "999999999999/999999999998", "59.9999999999", "1.0000000001",
  ]
  private static let units = [
    "", "", "", " s", " ms", " Hz", " kHz", " dB", " %", " deg", " frame", " dB/s", "s", " x",
  ]

  /// Bytes that are invalid or special in texts.
  static func nasty(_ dice: inout Dice) -> [UInt8] {
    if dice.pick(4) == 0 { return dice.one(of: brokenTexts) }
    let text = Array(dice.one(of: nastyTexts).utf8)
    return dice.pick(8) > 0 ? text : Array(repeatElement(text, count: 1 << dice.pick(11)).joined())
  }

  /// A number, often one at a limit, sometimes with a unit.
  static func number(_ dice: inout Dice) -> String {
    if dice.pick(3) == 0 { return "\(dice.pick(200))" + dice.one(of: units) }
    if dice.pick(40) == 0 { return String(repeating: "9", count: 1 + dice.pick(2000)) }
    return dice.one(of: numbers) + dice.one(of: units)
  }

  /// A possible value after a colon.
  static func value(_ words: [String], _ dice: inout Dice) -> String {
    switch dice.pick(10) {
    case 0: "[\(number(&dice)), \(number(&dice))]"
    case 1: "{ \(dice.one(of: words)): \(number(&dice)) }"
    case 2: "[]"
    case 3:
      "{ 1: { \(dice.one(of: words)): \(number(&dice)) }, \(dice.pick(9)): { \(dice.one(of: words)): 1 } }"
    case 4: dice.one(of: words)
    case 5: ["none", "forever", "frame", "true", "false", "\"\"", "all", "physical"][dice.pick(8)]
    case 6: "[a, b, a, \(dice.one(of: words))]"
    default: number(&dice)
    }
  }

  /// A possible selector after an id in a wire; mostly none.
  static func selector(_ dice: inout Dice) -> String {
    switch dice.pick(9) {
    case 0: "[\(dice.pick(5))]"
    case 1: "[\(1 + dice.pick(3))-\(dice.pick(12))]"
    case 2: "[Left, \(dice.pick(3))]"
    case 3: ".peak"
    case 4: ".events"
    case 5: "[1,1,1]"
    default: ""
    }
  }
}
