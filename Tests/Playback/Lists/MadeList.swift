import System

@testable import Playback

/// A random list, with the entries that reading it has to give.
struct MadeList: CustomStringConvertible {
  /// The encoding of its text.
  enum Form: CaseIterable { case utf8, marked, little, big, western, cyrillic }

  /// An entry: its text, the file that it means, and what the list states about it.
  struct Entry {
    let location: String
    let path: String
    let title: String?
    let length: Double?
    /// The diagnostic of an entry that leads to no file.
    let fault: ListError.Code?
  }

  let kind: ListKind
  let form: Form
  private(set) var entries: [Entry] = []
  private(set) var bytes: [UInt8] = []
  /// The faults of the list itself.
  private(set) var faults: [ListError.Code] = []

  var description: String { "\(kind) \(form): \(entries.map { FileName.shown($0.location) })" }

  /// The extension of its name.
  var ending: String { kind.rawValue }

  /// Writes a list that lies in a folder.
  init(in folder: String, _ random: inout RandomStream) {
    let kind = [ListKind.m3u, .m3u8, .pls, .xspf, .cue].randomElement(using: &random)!
    let form = Form.allCases.randomElement(using: &random)!
    self.kind = kind
    // No program writes XML in this character set unless its reader knows it.
    self.form = kind == .xspf && form == .cyrillic ? .utf8 : form
    for number in 1...Int.random(in: 1...6, using: &random) {
      entries.append(entry(number, folder, &random))
    }
    let lines =
      switch kind {
      case .m3u, .m3u8: m3u(&random)
      case .pls: pls(&random)
      case .xspf: xspf()
      case .cue: cue(&random)
      }
    let end = ["\n", "\r\n", "\r"].randomElement(using: &random)!
    bytes = encoded(lines.joined(separator: end) + (Bool.random(using: &random) ? end : ""))
  }

  // MARK: - Names

  private static let plain = [
    "Summer", "B b", "it's", "(1) [x]", "a=b", "a;b", "x#y", "-", "Part: one", "..a", "{y}",
  ]
  private static let odd = [
    "100%", "a%20b", "&amp;", "<x>", "Gr\u{FC}\u{DF}e", "夜に駆ける", "Пачка сигарет", "\u{1F3B5}", "$HOME", "*?",
  ]
  private static let western = [
    "Gr\u{FC}\u{DF}e aus Wien", "Caf\u{E9} del Mar", "Mot\u{F6}rhead", "Los Ni\u{F1}os",
  ]
  private static let cyrillic = ["Пачка сигарет", "Группа крови", "Звезда по имени Солнце", "Спокойная ночь"]

  /// Words that the encoding can represent.
  private func words(_ random: inout RandomStream) -> String {
    let (most, some) =
      switch form {
      case .western: (Self.western, Self.western)
      case .cyrillic: (Self.cyrillic, Self.cyrillic)
      default: (Self.plain, kind == .cue ? Self.odd : Self.odd + ["q\"q\"", "say \"x"])
      }
    let first = (Bool.random(using: &random) ? most : some).randomElement(using: &random)!
    return Bool.random(using: &random) ? first : first + " " + most.randomElement(using: &random)!
  }

  /// Percent-encodes every byte but letters, digits and slashes.
  private static func percent(_ text: String) -> String {
    FileName.bytes(text).reduce(into: "") { result, byte in
      let character = Character(Unicode.Scalar(byte))
      if byte < 0x80, character.isLetter || character.isNumber || "/.-_".contains(character) {
        result.append(character)
      } else {
        result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: byte & 1 == 0)
      }
    }
  }

  /// An entry whose file lies in the folder, or in its folder `sub`.
  private func entry(_ number: Int, _ folder: String, _ random: inout RandomStream) -> Entry {
    var name = words(&random) + " \(number)"
    let isUnicode = form != .western && form != .cyrillic
    let mayBeRaw = form == .utf8 || form == .marked
    // A name in ISO 8859-1 is no valid text; its bytes are the name all the same.
    if mayBeRaw, kind != .xspf, Int.random(in: 0...7, using: &random) == 0 {
      name = FileName.text(Array("caf".utf8) + [0xE9, 0x20] + Array("\(number)".utf8))
    }
    let isRaw = FileName.isForeign(name)
    if isUnicode, !isRaw, Int.random(in: 0...7, using: &random) == 0 { name += "\\n" }
    name += [".mp3", ".flac", ".ogg", ".wav"].randomElement(using: &random)!
    let file = "\(folder)/\(name)"
    var (location, path) = (name, file)
    switch Int.random(in: 0...7, using: &random) {
    case 0: (location, path) = ("./" + name, "\(folder)/./\(name)")
    case 1: (location, path) = ("sub/../" + name, "\(folder)/sub/../\(name)")
    case 2: location = file
    case 3: location = "file://" + Self.percent(file)
    case 4: location = "file://localhost" + Self.percent(file)
    // A name has at most 255 bytes.
    case 5 where Self.percent(name).utf8.count < 250: location = Self.percent(name)
    case 6 where kind != .xspf && isUnicode && !isRaw && !name.contains("\\") && !name.contains("%"):
      (location, path) = ("sub\\" + name, "\(folder)/sub/\(name)")
    default: break
    }
    if kind == .xspf, !location.hasPrefix("file:"),
      location == name || !location.contains("%") || location == file
    {
      location = Self.percent(location)
    }
    return made(number, location, path, &random)
  }

  /// The entry with a title and a length, if the format has them; some entries lead to no file.
  private func made(_ number: Int, _ location: String, _ path: String, _ random: inout RandomStream) -> Entry
  {
    let hasTitle = Int.random(in: 0...2, using: &random) > 0
    let title = hasTitle ? words(&random) + ", \(number)" : nil
    let hasLength = kind != .cue && Bool.random(using: &random)
    let length = hasLength ? Double(Int.random(in: 1...4000, using: &random)) / 8 : nil
    switch Int.random(in: 0...11, using: &random) {
    case 0:
      return Entry(location: location, path: path, title: title, length: length, fault: .missing)
    case 1 where kind != .cue:
      let address = "https://example.org/\(number).mp3"
      return Entry(location: address, path: "", title: title, length: length, fault: .remote)
    default:
      return Entry(location: location, path: path, title: title, length: length, fault: nil)
    }
  }

  // MARK: - Lines

  /// Lines without a meaning.
  private static func noise(_ mark: String, _ random: inout RandomStream) -> [String] {
    (0..<Int.random(in: 0...2, using: &random)).map { _ in
      ["", "  \t", mark + " File1=no.mp3", mark].randomElement(using: &random)!
    }
  }

  private func m3u(_ random: inout RandomStream) -> [String] {
    var lines = Bool.random(using: &random) ? ["#EXTM3U"] : []
    for entry in entries {
      lines += Self.noise("#", &random)
      let length = entry.length.map { "\($0)" } ?? ["-1", "0"].randomElement(using: &random)!
      let key = ["#EXTINF:", "#extinf:"].randomElement(using: &random)!
      let more = ["", " tvg-name=\"x, y\""].randomElement(using: &random)!
      if let title = entry.title {
        lines.append("\(key)\(length)\(more),\(title)")
      } else if entry.length != nil || Bool.random(using: &random) {
        lines.append(key + length + ["", ",", more + ", "].randomElement(using: &random)!)
      }
      lines += Self.noise("#", &random)
      let space = ["", "", " ", "\t "].randomElement(using: &random)!
      lines.append(space + entry.location + space)
    }
    return lines
  }

  private mutating func pls(_ random: inout RandomStream) -> [String] {
    var lines: [String] = []
    for (number, entry) in entries.enumerated() {
      let (place, space) = (3 * number + 1, ["", " "].randomElement(using: &random)!)
      lines.append(
        ["File", "file", "FILE"].randomElement(using: &random)! + "\(place)\(space)=\(space)\(entry.location)"
      )
      if let title = entry.title { lines.append("Title\(place)=\(space)\(title)") }
      lines.append("Length\(place)=" + (entry.length.map { "\($0)" } ?? "-1"))
    }
    lines.shuffle(using: &random)
    if Int.random(in: 0...3, using: &random) == 0 {
      lines.insert("nonsense", at: .random(in: 0...lines.count, using: &random))
      faults.append(.line)
    }
    return ["[playlist]"] + Self.noise(";", &random) + lines + [
      "NumberOfEntries=\(entries.count)", "Version=2",
    ]
  }

  private func xspf() -> [String] {
    func escaped(_ text: String) -> String {
      text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
    let tracks = entries.flatMap { entry in
      ["<track>", " <location>\(escaped(entry.location))</location>"]
        + (entry.title.map { ["<title> \(escaped($0)) </title>"] } ?? [])
        + (entry.length.map { ["<duration>\(Int($0 * 1000))</duration>"] } ?? []) + ["</track>"]
    }
    let name = form == .western ? "ISO-8859-1" : form == .utf8 || form == .marked ? "UTF-8" : "UTF-16"
    return [
      "<?xml version=\"1.0\" encoding=\"\(name)\"?>",
      "<playlist version=\"1\" xmlns=\"http://xspf.org/ns/0/\"><trackList>",
    ] + tracks + ["</trackList></playlist>"]
  }

  private func cue(_ random: inout RandomStream) -> [String] {
    var lines = ["REM GENRE Rock", "TITLE \"All\""]
    for (number, entry) in entries.enumerated() {
      lines += ["FILE \"\(entry.location)\" WAVE", "  TRACK 0\(number + 1) AUDIO"]
      lines += Self.noise("REM", &random)
      if let title = entry.title { lines.append("    TITLE \"\(title)\"") }
      lines.append("    INDEX 01 00:00:00")
    }
    return lines
  }

  private func encoded(_ text: String) -> [UInt8] {
    switch form {
    case .utf8: FileName.bytes(text)
    case .marked: [0xEF, 0xBB, 0xBF] + FileName.bytes(text)
    case .little: [0xFF, 0xFE] + text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    case .big: [0xFE, 0xFF] + text.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    case .western: text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    case .cyrillic:
      // Windows-1251 has the letters from А on in their order.
      text.unicodeScalars.map {
        UInt8(truncatingIfNeeded: $0.value < 0x80 ? $0.value : $0.value - 0x410 + 0xC0)
      }
    }
  }
}
