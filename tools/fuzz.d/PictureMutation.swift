import Glibc

/// Makes mutants of PNG files: of any byte, or of a chunk whose checksum is then corrected.
struct PictureMutation: MutantSource {
  private let files: [[UInt8]]
  private let seed: UInt64

  /// Reads the pictures of a folder.
  init(folder: String, seed: UInt64) {
    files = Self.names.map { bytes(of: "\(folder)/\($0).png") }
    self.seed = seed
  }

  private static let names = [
    "rgba", "rgb16-laced", "grey1", "grey16", "grey-alpha-laced", "palette4", "palette-clear-laced",
    "rgb-key-gamma", "plain", "animated",
  ]

  var words: String { "\(files.count) pictures" }

  func mutant(_ number: Int) -> [UInt8] {
    var dice = Dice(seed: seed, number: number)
    let file = dice.one(of: files)
    guard dice.pick(4) > 0 else { return dice.changed(file) }
    var parts = Part.parts(of: file)
    for _ in 0...dice.pick(2) * dice.pick(4) { change(&parts, &dice) }
    var bytes = Part.joined(parts)
    if dice.pick(8) == 0 { bytes = dice.changed(bytes) }
    return bytes
  }

  private func change(_ parts: inout [Part], _ dice: inout Dice) {
    guard !parts.isEmpty else { return }
    let place = dice.pick(parts.count)
    switch dice.pick(10) {
    case 0: parts[0].contents = Self.header(parts[0].contents, &dice)
    case 1: parts.remove(at: place)
    case 2: parts.insert(parts[place], at: dice.pick(parts.count + 1))
    case 3: parts.swapAt(place, dice.pick(parts.count))
    case 4: parts[place].name = Array(dice.one(of: Self.partNames).utf8)
    case 5:
      if let other = Part.parts(of: dice.one(of: files)).randomElement(using: &dice) {
        parts.insert(other, at: place)
      }
    case 6: parts[place].contents += [UInt8](repeating: UInt8(dice.pick(256)), count: dice.pick(4096))
    default:
      let contents = parts[place].contents
      parts[place].contents = contents.isEmpty ? [UInt8(dice.pick(256))] : dice.changed(contents)
    }
  }

  /// Another width, height, depth, color type or interlacing.
  private static func header(_ contents: [UInt8], _ dice: inout Dice) -> [UInt8] {
    var contents = contents
    guard contents.count == 13 else { return contents }
    switch dice.pick(3) {
    case 0:
      let side: UInt32 = dice.one(of: [0, 1, 2, 7, 8, 9, 255, 256, 2048, 8191, 8192, 8193, 1_000_000, .max])
      let first = dice.pick(2) * 4
      contents.replaceSubrange(first..<first + 4, with: withUnsafeBytes(of: side.bigEndian, Array.init))
    case 1: contents[8] = dice.one(of: [0, 1, 2, 3, 4, 8, 16, 32])
    default: contents[9 + dice.pick(4)] = UInt8(dice.pick(8))
    }
    return contents
  }

  private static let partNames = [
    "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "tEXt", "zTXt", "iTXt", "bKGD",
    "sBIT", "hIST", "pHYs", "tIME", "acTL", "fcTL", "fdAT", "eXIf", "ABCD", "abcd",
  ]
}

/// A chunk of a PNG file: its type of four letters, and its contents.
private struct Part {
  var name: [UInt8]
  var contents: [UInt8]

  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// The chunks of a whole file.
  static func parts(of file: [UInt8]) -> [Part] {
    var parts: [Part] = []
    var place = 8
    while place + 12 <= file.count {
      let count = file[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
      guard place + 12 + count <= file.count else { break }
      parts.append(
        Part(
          name: Array(file[place + 4..<place + 8]), contents: Array(file[place + 8..<place + 8 + count])))
      place += 12 + count
    }
    return parts
  }

  /// A file of chunks, with correct checksums.
  static func joined(_ parts: [Part]) -> [UInt8] {
    parts.reduce(into: signature) { file, part in
      file += withUnsafeBytes(of: UInt32(part.contents.count).bigEndian, Array.init)
      let body = part.name + part.contents
      file += body + withUnsafeBytes(of: checksum(body).bigEndian, Array.init)
    }
  }

  /// The CRC of PNG chunks (ISO 3309).
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~UInt32(0)) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { rest, _ in rest >> 1 ^ (rest & 1 == 0 ? 0 : 0xEDB8_8320) }
    }
  }
}
