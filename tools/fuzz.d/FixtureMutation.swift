/// Makes mutants of fixtures and rigs of other programs, of the contents of their archives and of the archives, and of
/// fixture files.
struct FixtureMutation: MutantSource {
  private let texts: [[UInt8]]
  private let device: [UInt8]
  private let scene: [UInt8]
  private let archives: [[UInt8]]
  private let seed: UInt64

  /// Reads the files of a folder.
  init(folder: String, seed: UInt64) {
    func read(_ name: String) -> [UInt8] { bytes(of: "\(folder)/\(name)") }
    texts = ["head.qxf", "bar.json", "head.yaml", "par.yaml"].map(read)
    (device, scene) = (read("description.xml"), read("GeneralSceneDescription.xml"))
    archives = ["spot.gdtf", "rig.mvr"].map(read)
    self.seed = seed
  }

  var words: String { "\(texts.count + 2) texts and \(archives.count) archives of lamps" }

  func mutant(_ number: Int) -> [UInt8] {
    var dice = Dice(seed: seed, number: number)
    switch dice.pick(8) {
    case 0...3: return changed(dice.one(of: texts), &dice)
    case 4, 5: return Self.archive([("description.xml", changed(device, &dice))])
    case 6:
      return Self.archive([
        ("GeneralSceneDescription.xml", changed(scene, &dice)), ("Spot.gdtf", archives[0]),
      ])
    default:
      var archive = dice.one(of: archives)
      for _ in 0...dice.pick(4) { archive = dice.changed(archive) }
      return archive
    }
  }

  private func changed(_ bytes: [UInt8], _ dice: inout Dice) -> [UInt8] {
    var text = LinedText(bytes)
    for _ in 0...dice.pick(2) * dice.pick(8) { change(&text, &dice) }
    return Array(text.bytes.prefix(1 << 18))
  }

  private func change(_ text: inout LinedText, _ dice: inout Dice) {
    switch dice.pick(14) {
    case 0: text.bytes = dice.changed(text.bytes)
    case 1: text.moveLine(&dice)
    case 2: text.copyLine(&dice)
    case 3: text.removeLine(&dice)
    case 4: text.bytes = Array(text.bytes.prefix(dice.pick(text.bytes.count + 1)))
    case 5: text.insert(Pieces.nasty(&dice), at: dice.pick(text.bytes.count + 1))
    case 6: text.insert(Array(dice.one(of: Self.marks).utf8), at: dice.pick(text.bytes.count + 1))
    case 7: text.repeatBlock(&dice)
    case 8: text.splice(LinedText(dice.one(of: texts + [device, scene])), &dice)
    case 9, 10: text.replaceWord(with: text.word(&dice) ?? "x", &dice)
    default: text.replaceNumber(with: dice.one(of: Self.numbers), &dice)
    }
  }

  /// An archive whose entries are stored.
  private static func archive(_ entries: [(name: String, bytes: [UInt8])]) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    var (all, directory) = ([UInt8](), [UInt8]())
    for (name, bytes) in entries {
      let facts =
        number(20, 2) + number(0, 8) + number(Int(check(bytes)), 4) + number(bytes.count, 4)
        + number(bytes.count, 4)
        + number(name.utf8.count, 2) + number(0, 2)
      directory +=
        [0x50, 0x4B, 1, 2] + number(20, 2) + facts + number(0, 10) + number(all.count, 4) + Array(name.utf8)
      all += [0x50, 0x4B, 3, 4] + facts + Array(name.utf8) + bytes
    }
    return all + directory + [0x50, 0x4B, 5, 6] + number(0, 4) + number(entries.count, 2)
      + number(entries.count, 2)
      + number(directory.count, 4) + number(all.count, 4) + number(0, 2)
  }

  /// The CRC-32 of zip archives.
  private static func check(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
  }

  private static let marks = [
    "<", ">", "</", "/>", "<Channel>", "</Channel>", "<Mode>", "&amp;", "&a;", "&#0;", "<![CDATA[", "<!--",
    "<!DOCTYPE a [<!ENTITY b \"c\">]>", "\"", ":", ",", "{", "}", "[", "]", "null", "true", "$pixelKey",
    " fine", " ultra",
    "none", "fine", "\\u0000", "1e999", "../../etc/passwd", "Offset=\"1,2,3,4,5\"", "DMXFrom=\"255/4\"",
    "is: dimmer",
    "slots: [0, 255]", "to: 3", "range: [1, 2]",
  ]
  private static let numbers = [
    "0", "-0", "1", "-1", "2", "3", "4", "255", "256", "512", "513", "65535", "65536", "1e30", "-1e308",
    "1e309", "nan", "inf",
    "9223372036854775807", "9223372036854775808", "-9223372036854775809", "99999999999", "0.5", "1,5",
    "1.512", "", " ", "٣",
  ]
}
