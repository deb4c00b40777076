import System

/// A file of linear PCM, made byte by byte around known samples, with unknown chunks and with sizes that a recorder
/// never filled in.
struct MadeSound: CustomStringConvertible {
  enum Container: CaseIterable { case wave, rf64, bw64, aiff, caf, au, w64 }
  enum Coding: CaseIterable { case pcm16, pcm24, float }

  /// The size of the samples that the header states: the right one, 0, the largest number, or too much.
  enum Stated: CaseIterable { case right, none, all, more }

  let container: Container
  let coding: Coding
  let channels: Int
  let frames: Int
  let rate: Int
  let stated: Stated
  /// The samples as they are written, interleaved.
  private let words: [UInt32]
  private(set) var bytes: [UInt8] = []
  /// Bytes that the header states beyond those that exist.
  private var surplus = 0

  var description: String {
    "\(container) \(coding), \(channels) channels, \(frames) frames, \(rate) Hz, size \(stated)"
  }

  /// A random file.
  init(_ random: inout RandomStream) {
    container = Container.allCases.randomElement(using: &random)!
    coding = Coding.allCases.randomElement(using: &random)!
    channels = .random(in: 1...8, using: &random)
    frames = .random(in: 1...300, using: &random)
    rate = [8000, 11_025, 22_050, 32_000, 44_100, 48_000, 96_000, 192_000].randomElement(using: &random)!
    stated = MadeSound.states(container).randomElement(using: &random)!
    let coding = coding
    words = (0..<channels * frames).map { _ in
      coding == .float
        ? Float.random(in: -1...1, using: &random).bitPattern : UInt32.random(in: 0...(.max), using: &random)
    }
    surplus = stated == .more ? channels * width * .random(in: 1...5000, using: &random) : 0
    bytes = made(&random)
  }

  /// The sizes that recorders leave in each container when they are interrupted.
  private static func states(_ container: Container) -> [Stated] {
    switch container {
    case .wave: Stated.allCases
    case .rf64, .bw64, .w64: [.right, .right, .more]
    case .aiff: [.right, .more]
    case .caf, .au: [.right, .all, .more]
    }
  }

  /// Whether the reader may find only at the end that samples are missing: FFmpeg, which reads much of RF64, takes the
  /// stated size, so the format then has too many frames.
  var isFoundLate: Bool { stated == .more && (container == .rf64 || container == .bw64) }

  private var width: Int { coding == .pcm16 ? 2 : coding == .pcm24 ? 3 : 4 }
  private var size: Int { width * channels * frames }
  private var statedSize: Int { size + surplus }

  /// The expected samples, channel by channel.
  var wanted: [[Float]] {
    (0..<channels).map { channel in
      stride(from: channel, to: words.count, by: channels).map { place in
        switch coding {
        case .pcm16: Float(Int16(truncatingIfNeeded: words[place])) / 32_768
        case .pcm24: Float(Int32(bitPattern: words[place] << 8) >> 8) / 8_388_608
        case .float: Float(bitPattern: words[place])
        }
      }
    }
  }

  // MARK: - Bytes

  private static func little(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }

  private func data(isLittle: Bool) -> [UInt8] {
    words.flatMap { word -> [UInt8] in
      let all = isLittle ? Array(Self.little(word).prefix(width)) : Array(Handmade.big(word).suffix(width))
      return all
    }
  }

  /// Name and bytes of an unknown chunk, of an odd size as often as of an even one.
  private static func unknown(_ random: inout RandomStream) -> (name: String, contents: [UInt8]) {
    let name = ["abcd", "junk", "JUNK", "Zz12", "xtra", "FLLR"].randomElement(using: &random)!
    let count = [0, 1, 2, 3, 7, 28, 101].randomElement(using: &random)!
    return (name, (0..<count).map { _ in .random(in: 0...255, using: &random) })
  }

  /// None to three unknown chunks, each written by `write`.
  private static func unknowns(
    _ random: inout RandomStream, _ write: (String, [UInt8]) -> [UInt8]
  ) -> [UInt8] {
    (0..<Int.random(in: 0...3, using: &random)).flatMap { _ in
      let chunk = unknown(&random)
      return write(chunk.name, chunk.contents)
    }
  }

  private func made(_ random: inout RandomStream) -> [UInt8] {
    switch container {
    case .wave, .rf64, .bw64: riff(&random)
    case .aiff: aiff(&random)
    case .caf: caf(&random)
    case .au: au(&random)
    case .w64: w64(&random)
    }
  }

  // MARK: - RIFF containers

  /// The contents of `fmt `, in the plain or in the extensible form.
  private func waveFormat(_ random: inout RandomStream) -> [UInt8] {
    let tag: UInt16 = coding == .float ? 3 : 1
    let isExtensible = Bool.random(using: &random)
    let numbers = Self.little(UInt16(channels)) + Self.little(UInt32(rate))
    let rest = Self.little(UInt32(rate * channels * width)) + Self.little(UInt16(channels * width))
    let plain = numbers + rest + Self.little(UInt16(8 * width))
    if !isExtensible { return Self.little(tag) + plain }
    let more = Self.little(UInt16(22)) + Self.little(UInt16(8 * width)) + [0, 0, 0, 0] + Self.little(tag)
    return Self.little(UInt16(0xFFFE)) + plain + more + [
      0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71,
    ]
  }

  private func riff(_ random: inout RandomStream) -> [UInt8] {
    func chunk(_ name: String, _ contents: [UInt8]) -> [UInt8] {
      Array(name.utf8) + Self.little(UInt32(contents.count)) + contents
        + [UInt8](repeating: 0, count: contents.count & 1)
    }
    let isWide = container != .wave
    var body = Self.unknowns(&random, chunk) + chunk("fmt ", waveFormat(&random))
    body += Self.unknowns(&random, chunk) + Array("data".utf8)
    let isStated = !isWide || Bool.random(using: &random)
    body += Self.little(stated == .none ? 0 : stated == .all || !isStated ? UInt32.max : UInt32(statedSize))
    body += data(isLittle: true)
    // After a wrong size everything counts as samples.
    if stated == .right {
      body += [UInt8](repeating: 0, count: size & 1) + Self.unknowns(&random, chunk)
    }
    guard isWide else {
      let all = stated == .none ? 0 : stated == .all ? UInt32.max : UInt32(4 + body.count + surplus)
      return Array("RIFF".utf8) + Self.little(all) + Array("WAVE".utf8) + body
    }
    let sizes = [40 + body.count + surplus, statedSize, statedSize / (channels * width)]
    return Array((container == .rf64 ? "RF64" : "BW64").utf8) + Self.little(UInt32.max) + Array("WAVE".utf8)
      + chunk("ds64", sizes.flatMap { Self.little(UInt64($0)) } + [0, 0, 0, 0]) + body
  }

  private func w64(_ random: inout RandomStream) -> [UInt8] {
    let tail: [UInt8] = [0xF3, 0xAC, 0xD3, 0x11, 0x8C, 0xD1, 0x00, 0xC0, 0x4F, 0x8E, 0xDB, 0x8A]
    func chunk(_ name: String, _ contents: [UInt8], more: Int = 0) -> [UInt8] {
      Array(name.utf8) + tail + Self.little(UInt64(24 + contents.count + more)) + contents
        + [UInt8](repeating: 0, count: more > 0 ? 0 : -contents.count & 7)
    }
    var body = Array("wave".utf8) + tail + chunk("fmt ", waveFormat(&random))
    // FFmpeg, which reads the floats of the extensible form, takes an empty chunk for damage.
    body += Self.unknowns(&random) { chunk($0, $1.isEmpty ? [0] : $1) }
    body += chunk("data", data(isLittle: true), more: surplus)
    if stated == .right { body += Self.unknowns(&random) { chunk($0, $1.isEmpty ? [0] : $1) } }
    return Array("riff".utf8) + [0x2E, 0x91, 0xCF, 0x11, 0xA5, 0xD6, 0x28, 0xDB, 0x04, 0xC1, 0, 0]
      + Self.little(UInt64(24 + body.count + surplus)) + body
  }

  // MARK: - Most significant byte first

  private func aiff(_ random: inout RandomStream) -> [UInt8] {
    func chunk(_ name: String, _ contents: [UInt8], more: Int = 0) -> [UInt8] {
      Array(name.utf8) + Handmade.big(UInt32(contents.count + more)) + contents
        + [UInt8](repeating: 0, count: more > 0 ? 0 : contents.count & 1)
    }
    // The rate is an 80-bit float.
    let exponent = Int.bitWidth - 1 - rate.leadingZeroBitCount
    var format = Handmade.big(UInt16(channels)) + Handmade.big(UInt32(statedSize / (channels * width)))
    format += Handmade.big(UInt16(8 * width)) + Handmade.big(UInt16(16_383 + exponent))
    format += Handmade.big(UInt64(rate) << UInt64(63 - exponent))
    if coding == .float { format += Array("fl32".utf8) + [0, 0] }
    // Samples may begin after some bytes for alignment.
    let offset = [0, 0, 0, 8].randomElement(using: &random)!
    let sound =
      Handmade.big(UInt32(offset)) + [0, 0, 0, 0] + [UInt8](repeating: 0, count: offset)
      + data(isLittle: false)
    var body = Array((coding == .float ? "AIFC" : "AIFF").utf8) + Self.unknowns(&random) { chunk($0, $1) }
    body += chunk("COMM", format) + Self.unknowns(&random) { chunk($0, $1) }
    body += chunk("SSND", sound, more: surplus)
    if stated == .right { body += Self.unknowns(&random) { chunk($0, $1) } }
    return Array("FORM".utf8) + Handmade.big(UInt32(body.count + surplus)) + body
  }

  private func caf(_ random: inout RandomStream) -> [UInt8] {
    func chunk(_ name: String, _ contents: [UInt8], size: Int64? = nil) -> [UInt8] {
      Array(name.utf8) + Handmade.big(size ?? Int64(contents.count)) + contents
    }
    let isLittle = Bool.random(using: &random)
    let flags = (coding == .float ? 1 : 0) + (isLittle ? 2 : 0)
    var format = Handmade.big(Double(rate).bitPattern) + Array("lpcm".utf8)
    for number in [flags, channels * width, 1, channels, 8 * width] { format += Handmade.big(UInt32(number)) }
    let sound = [0, 0, 0, 0] + data(isLittle: isLittle)
    let count: Int64? = stated == .all ? -1 : Int64(sound.count + surplus)
    return Array("caff".utf8) + [0, 1, 0, 0] + chunk("desc", format)
      + Self.unknowns(&random) { chunk($0, $1) }
      + chunk("data", sound, size: count)
      + (stated == .right ? Self.unknowns(&random) { chunk($0, $1) } : [])
  }

  private func au(_ random: inout RandomStream) -> [UInt8] {
    let note = [UInt8](repeating: 0x20, count: 4 * .random(in: 0...9, using: &random))
    let size = stated == .all ? UInt32.max : UInt32(statedSize)
    let numbers = [
      UInt32(24 + note.count), size, coding == .pcm16 ? 3 : coding == .pcm24 ? 4 : 6, UInt32(rate),
      UInt32(channels),
    ]
    return Array(".snd".utf8) + numbers.flatMap { Handmade.big($0) } + note + data(isLittle: false)
  }
}
