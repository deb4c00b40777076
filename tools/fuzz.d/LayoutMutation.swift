/// Makes mutants of LED layouts: models of xLights, maps of WLED, and tables.
struct LayoutMutation: MutantSource {
  private let texts: [[UInt8]]
  private let seed: UInt64

  /// Reads the files of a folder.
  init(folder: String, seed: UInt64) {
    let names = [
      "star.xmodel", "cube.xmodel", "matrix.xmodel", "line.xmodel", "ledmap.json", "tree.csv", "plain.csv",
    ]
    texts = names.map { bytes(of: "\(folder)/\($0)") }
    self.seed = seed
  }

  var words: String { "\(texts.count) layouts of LEDs" }

  func mutant(_ number: Int) -> [UInt8] {
    var dice = Dice(seed: seed, number: number)
    var text = LinedText(dice.one(of: texts))
    for _ in 0...dice.pick(2) * dice.pick(8) { change(&text, &dice) }
    return Array(text.bytes.prefix(1 << 18))
  }

  private func change(_ text: inout LinedText, _ dice: inout Dice) {
    switch dice.pick(16) {
    case 0: text.bytes = dice.changed(text.bytes)
    case 1: text.moveLine(&dice)
    case 2: text.copyLine(&dice)
    case 3: text.removeLine(&dice)
    case 4: text.bytes = Array(text.bytes.prefix(dice.pick(text.bytes.count + 1)))
    case 5: text.insert(Pieces.nasty(&dice), at: dice.pick(text.bytes.count + 1))
    case 6, 7: text.insert(Array(dice.one(of: Self.marks).utf8), at: dice.pick(text.bytes.count + 1))
    case 8: text.repeatBlock(&dice)
    case 9: text.splice(LinedText(dice.one(of: texts)), &dice)
    case 10: text.replaceWord(with: text.word(&dice) ?? "x", &dice)
    default: text.replaceNumber(with: dice.one(of: Self.numbers), &dice)
    }
  }

  private static let marks = [
    ",", ";", "|", ",,,,", ";;", "-", "\"", "<", "/>", "<model", "</models>", "&amp;", "&a;", "&#0;", "<!--",
    "<!DOCTYPE a [<!ENTITY b \"c\">]>", "{", "}", "[", "]", "null", "\"map\":[", "#", "\n", "\r", "\t",
    "x,y,z\n",
    "NoZig=\"true\"", "AlternateNodes=\"true\"", "DisplayAs=\"Tree 360\"", "\u{202E}", "\u{0}",
  ]
  private static let numbers = [
    "0", "-0", "1", "-1", "2", "65535", "65536", "262143", "262144", "262145", "10000000", "1e9", "1e10",
    "1e308",
    "-1e308", "1e309", "nan", "inf", "9223372036854775807", "9223372036854775808", "99999999999999999999",
    "0.5",
    "1,5", "", " ", "٣",
  ]
}
