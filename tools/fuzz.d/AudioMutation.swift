import Glibc

/// Makes mutants of audio files: of any byte, of the numbers in their headers, or of two files spliced together.
struct AudioMutation: MutantSource {
  private let files: [[UInt8]]
  private let seed: UInt64

  /// Reads the sounds of a folder.
  init(folder: String, seed: UInt64) {
    files = Self.names.map { bytes(of: "\(folder)/\($0)") }
    self.seed = seed
  }

  private static let names = [
    "aac.aac", "aac.caf", "aac.m4a", "aac-parts.m4a", "alac.caf", "alac.m4a", "alac24.m4a", "alaw.caf",
    "double.aifc", "flac.flac", "flac.mp4", "flac.oga", "float.rf64", "ilbc.caf", "ilbc.lbc", "ima.wav",
    "ima4.aifc", "ima4.caf", "ima4.mov", "mp3.wav", "ms.wav", "opus.mp4", "opus.opus", "opus.webm",
    "pcm.aiff",
    "pcm.au", "pcm.caf", "pcm.mov", "pcm.w64", "plain.mp3", "six.wav", "ulaw.wav", "vbr.mp3", "vorbis.ogg",
    "album.flac", "bw64.wav", "coding-ac3.ac3", "coding-speex.spx", "coding-tta.tta", "coding-wavpack.wv",
    "coding-wma.wma", "flac-4000000000-comments.flac", "flac-cut.flac", "flac-nothing-but-the-head.flac",
    "m4a-pause-first.m4a", "mp3-gap-behind-the-tag.mp3", "mp3-half-a-frame-first.mp3",
    "mp3-large-picture.mp3",
    "mp3-one-frame-cut.mp3", "mp3-plain.mp3", "mp3-zeros-first.mp3", "mp4-first-fragment-in-moov.mp4",
    "ogg-two-links.ogg", "opus-two-links.opus", "replaygain.flac", "rf64-odd-chunk.wav",
  ]
  private static let most = 1 << 17

  var words: String { "\(files.count) sounds" }

  func mutant(_ number: Int) -> [UInt8] {
    var dice = Dice(seed: seed, number: number)
    var file = dice.one(of: files)
    for _ in 0...dice.pick(2) * dice.pick(12) {
      switch dice.pick(8) {
      case 0, 1: file = dice.changed(file)
      case 2, 3, 4: number32(in: &file, &dice)
      case 5: letter(in: &file, &dice)
      case 6:
        let other = dice.one(of: files)
        file = Array(file.prefix(dice.pick(file.count + 1)) + other.suffix(dice.pick(other.count + 1)))
      default:
        let start = dice.pick(file.count)
        file.insert(contentsOf: Array(file[start..<min(file.count, start + dice.pick(2000))]), at: start)
      }
      if file.isEmpty { file = [0] }
    }
    file = Array(file.prefix(Self.most))
    // Without a correct checksum no page would be read.
    if dice.pick(4) > 0 { OggPage.correct(&file) }
    return file
  }

  /// Changes a number of four or eight bytes, mostly near the start.
  private func number32(in file: inout [UInt8], _ dice: inout Dice) {
    let reach = dice.pick(3) == 0 ? file.count : min(file.count, 1 << (4 + dice.pick(8)))
    let place = dice.pick(reach)
    let value: UInt64 = dice.one(of: [
      0, 1, 2, 3, 7, 255, 256, 1023, 1024, 1025, 65_535, 65_536, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF,
      0xFFFF_FFFE, 1 << 32, 1 << 40, .max, .max / 2, 48_000, 768_001, 0x0100_0000,
    ])
    let width = dice.one(of: [1, 2, 4, 4, 4, 8])
    let isBig = dice.pick(2) == 0
    for index in 0..<width where place + index < file.count {
      file[place + index] = UInt8(
        truncatingIfNeeded: value >> UInt64(8 * (isBig ? width - 1 - index : index)))
    }
  }

  /// Changes the name of a box, a chunk or a codec.
  private func letter(in file: inout [UInt8], _ dice: inout Dice) {
    let starts = file.indices.dropLast(4).filter { start in
      file[start..<start + 4].allSatisfy { $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A || $0 == 0x20 }
    }
    guard !starts.isEmpty else { return }
    let place = dice.one(of: Array(starts.prefix(400)))
    file.replaceSubrange(place..<place + 4, with: Array(dice.one(of: Self.letters).utf8))
  }

  private static let letters = [
    "moov", "trak", "mdia", "minf", "stbl", "stsd", "stts", "stsc", "stsz", "stco", "co64", "elst", "edts",
    "mdhd",
    "mvhd", "moof", "traf", "trun", "tfhd", "udta", "meta", "ilst", "covr", "data", "free", "mdat", "esds",
    "alac",
    "mp4a", "ima4", "ilbc", "Opus", "fLaC", "dOps", "dfLa", "wave", "chan", "desc", "pakt", "kuki", "info",
    "fmt ",
    "fact", "LIST", "INFO", "COMM", "SSND", "ds64", "RF64", "RIFF", "FORM", "AIFC", "twos", "sowt", "raw ",
    "ulaw",
    "alaw", "BW64", "wvpk", "TTA1", "DSD ", "Xing", "Info", "VBRI", "LAME", "TAG ", "trex", "mvex", ".mp3",
    "ac-3", "dref", "cmov", "sidx", "tkhd", "stss", "sdtp", "ctts", "uuid", "ID3 ", "APIC",
  ]
}

/// A page of an Ogg file.
private enum OggPage {
  /// The table of the checksum (RFC 3533, section 6): the polynomial 04C11DB7, not reflected.
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte) << 24) { rest, _ in rest << 1 ^ (rest & 0x8000_0000 == 0 ? 0 : 0x04C1_1DB7) }
  }

  /// Corrects the checksum of every page.
  static func correct(_ file: inout [UInt8]) {
    var place = 0
    while place + 27 <= file.count {
      guard file[place..<place + 4].elementsEqual("OggS".utf8) else {
        // Only files that begin as Ogg are searched for pages.
        if place == 0 { return }
        place += 1
        continue
      }
      let segments = Int(file[place + 26])
      guard place + 27 + segments <= file.count else { return }
      let end = min(
        file.count,
        place + 27 + segments + file[place + 27..<place + 27 + segments].reduce(0) { $0 + Int($1) })
      for index in 22..<26 { file[place + index] = 0 }
      let sum = file[place..<end].reduce(UInt32(0)) { $0 << 8 ^ table[Int($0 >> 24 ^ UInt32($1))] }
      for index in 0..<4 { file[place + 22 + index] = UInt8(truncatingIfNeeded: sum >> UInt32(8 * index)) }
      place = end
    }
  }
}
