import Glibc

/// Makes mutants of particle files: of the file itself, or of the texture embedded in it, which is compressed again.
struct ImportMutation: MutantSource {
  private let files: [[UInt8]]
  private let textures: [[UInt8]]
  private let seed: UInt64

  /// Reads the particle files and pictures of a folder; `@TEXTURE@` marks where a picture is inserted.
  init(folder: String, seed: UInt64) {
    func read(_ names: [String]) -> [[UInt8]] { names.map { bytes(of: "\(folder)/\($0)") } }
    files = read([
      "gravity.plist", "radial.plist", "embedded.plist", "binary.plist", "fire.pex", "named.pex", "glow.ped",
    ])
    textures = read([
      "spark.png", "spark-lzw.tiff", "spark-raw.tiff", "spark-packbits.tiff", "spark-deflate.tiff",
    ])
    self.seed = seed
  }

  var words: String { "\(files.count) particle files and \(textures.count) textures" }

  func mutant(_ number: Int) -> [UInt8] {
    var dice = Dice(seed: seed, number: number)
    var texture = dice.one(of: textures)
    var text = LinedText(dice.one(of: files))
    let place = Self.place(in: text.bytes)
    if place != nil, dice.pick(2) == 0 {
      for _ in 0...dice.pick(4) { texture = dice.changed(texture) }
    } else {
      for _ in 0...dice.pick(2) * dice.pick(8) { change(&text, &dice) }
    }
    guard let place = Self.place(in: text.bytes) else { return text.bytes }
    text.bytes.replaceSubrange(place, with: Self.base64(texture))
    return Array(text.bytes.prefix(1 << 20))
  }

  private static func place(in bytes: [UInt8]) -> Range<Int>? {
    let mark = Array("@TEXTURE@".utf8)
    guard bytes.count >= mark.count else { return nil }
    for start in 0...(bytes.count - mark.count) where bytes[start] == mark[0] {
      if Array(bytes[start..<(start + mark.count)]) == mark { return start..<(start + mark.count) }
    }
    return nil
  }

  private func change(_ text: inout LinedText, _ dice: inout Dice) {
    switch dice.pick(14) {
    case 0, 1: text.bytes = dice.changed(text.bytes)
    case 2: text.moveLine(&dice)
    case 3: text.copyLine(&dice)
    case 4: text.removeLine(&dice)
    case 5: text.bytes = Array(text.bytes.prefix(dice.pick(text.bytes.count + 1)))
    case 6: text.insert(Pieces.nasty(&dice), at: dice.pick(text.bytes.count + 1))
    case 7: text.insert(Array(dice.one(of: Self.marks).utf8), at: dice.pick(text.bytes.count + 1))
    case 8: text.repeatBlock(&dice)
    case 9: text.splice(LinedText(dice.one(of: files)), &dice)
    case 10: text.replaceWord(with: text.word(&dice) ?? "x", &dice)
    default: text.replaceNumber(with: dice.one(of: Self.numbers), &dice)
    }
  }

  private static func base64(_ bytes: [UInt8]) -> [UInt8] {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    var start = 0
    while start < bytes.count {
      let three = (0..<3).map { start + $0 < bytes.count ? Int(bytes[start + $0]) : 0 }
      let number = three[0] << 16 | three[1] << 8 | three[2]
      for part in 0..<min(4, bytes.count - start + 1) { text.append(digits[number >> (18 - 6 * part) & 63]) }
      start += 3
    }
    return text
  }

  private static let marks = [
    "<", ">", "</", "/>", "<dict>", "<array>", "</dict>", "<key>", "&amp;", "&a;", "&#0;", "&#x10FFFF;",
    "<![CDATA[",
    "<!--", "<!DOCTYPE a [<!ENTITY b \"c\">]>", "<?x ?>", "xmlns:a=\"b\"", "<string></string>", "<real/>",
    "\"", ":",
    ",", "{", "}", "[", "null", "true", "\\u0000", "\\ud800", "1e999", "../../etc/passwd", "/dev/zero",
    "@TEXTURE@",
  ]
  private static let numbers = [
    "0", "-0", "1", "-1", "2", "1e30", "-1e30", "1e300", "1e308", "-1e308", "1e309", "1e-320", "nan", "inf",
    "-inf",
    "NaN", "0x10", "9223372036854775808", "-9223372036854775809", "99999999999", "1.5", ".5", "5.", "+1",
    "1,5", "1_0",
    "", " ", "360", "-720.5", "771", "775", "0.0000001", "٣",
  ]
}
