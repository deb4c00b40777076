import System

/// Which decoder a file is given to, by its container and its coding, never by its name. [any]
///
/// libsndfile has linear PCM, µ-law and A-law, the ADPCM of WAV, and FLAC; FFmpeg has the rest, and gets what libsndfile
/// refuses, if it is of a container that both know. Ogg is among the rest as libsndfile finds places in Vorbis that are
/// hundreds of samples off, and looks for ever in a broken Opus file; MPEG audio, as it takes the word of a file for its
/// length and ends where something is no frame.
enum DecoderChoice: Equatable {
  /// libsndfile.
  case sndfile
  /// FFmpeg, with the demuxer of this name.
  case ffmpeg(Container)
  /// AAC, MPEG audio or AC-3 without a container: frames one after the other from a place on.
  case frames(FrameCoding, from: Int64)
  /// Vorbis, Opus or FLAC in Ogg, its pages taken apart by ourselves and its packets decoded by FFmpeg.
  case ogg

  /// The containers that FFmpeg opens, by its names; nothing else is ever given to it.
  enum Container: String, CaseIterable {
    case movie = "mov"
    case caf = "caf"
    case aiff = "aiff"
    case ogg = "ogg"
    case matroska = "matroska"
    case ilbc = "ilbc"
    case wave = "wav"
    case wavpack = "wv"
    case tta = "tta"
    case asf = "asf"
    case dsf = "dsf"
    // Where libsndfile refuses them.
    case flac = "flac"
    case au = "au"
    case w64 = "w64"
    // Only for their tags and pictures.
    case adts = "aac"
    case mp3 = "mp3"

    /// Whether what it says of its length may be held against the file, with a coding as FFmpeg calls it.
    func isExact(_ codec: String) -> Bool {
      switch self {
      case .wave, .aiff, .au, .w64: codec.hasPrefix("pcm_")
      case .wavpack, .tta: true
      default: false
      }
    }
  }

  /// Looks at the beginning of a file.
  init(of file: RegularFile) {
    let start = DecoderChoice.afterTags(of: file)
    let head = file.bytes(at: start, count: 512)
    if head.has("caff") {
      self = DecoderChoice.caf(head)
    } else if head.has("OggS") {
      self = DecoderChoice.ogg(head)
    } else if head.has("FORM"), head.has("AIFC", at: 8) {
      self = DecoderChoice.isImaAiff(file) ? .ffmpeg(.aiff) : .sndfile
    } else if head.has("RIFF"), head.has("WAVE", at: 8) {
      self = DecoderChoice.waveCoding(file).map { DecoderChoice.wave($0) } ?? .sndfile
    } else if head.count >= 8,
      ["ftyp", "moov", "mdat", "wide", "free", "skip", "pnot"].contains(head.letters(4))
    {
      self = .ffmpeg(.movie)
    } else if head.big(0, 4) == 0x1A45_DFA3 {
      self = .ffmpeg(.matroska)
    } else if head.has("#!iLBC20\n") || head.has("#!iLBC30\n") {
      self = .ffmpeg(.ilbc)
    } else if head.has("wvpk") {
      self = .ffmpeg(.wavpack)
    } else if head.has("TTA1") {
      self = .ffmpeg(.tta)
    } else if head.starts(with: DecoderChoice.asf) {
      self = .ffmpeg(.asf)
    } else if head.has("DSD ") {
      self = .ffmpeg(.dsf)
    } else if ADTSHeader(head) != nil {
      self = .frames(.adts, from: start)
    } else {
      self = DecoderChoice.bare(file, from: start, most: 1) ?? .sndfile
    }
  }

  /// What to try when libsndfile has refused a file: the container that its first bytes name, or frames of MPEG audio
  /// behind bytes that are none.
  static func second(for file: RegularFile) -> DecoderChoice? {
    let start = afterTags(of: file)
    let head = file.bytes(at: start, count: 16)
    if head.has("WAVE", at: 8), head.has("RIFF") || head.has("RF64") || head.has("BW64") {
      return .ffmpeg(.wave)
    }
    if head.has("FORM"), head.has("AIFF", at: 8) || head.has("AIFC", at: 8) { return .ffmpeg(.aiff) }
    if head.has("caff") { return .ffmpeg(.caf) }
    if head.has(".snd") { return .ffmpeg(.au) }
    if head.starts(with: W64Head.sign) { return .ffmpeg(.w64) }
    if head.has("fLaC") { return .ffmpeg(.flac) }
    return bare(file, from: start, most: mostSearched)
  }

  /// Frames that follow each other from a place on, or behind at most so many bytes.
  private static func bare(_ file: RegularFile, from start: Int64, most: Int) -> DecoderChoice? {
    let head = file.bytes(at: start, count: 16)
    for coding in [FrameCoding.mpeg, .ac3] where most > 1 || coding.header(head) != nil {
      var finder = FrameFinder(coding, in: file)
      if let found = finder.start(from: start, most: most, chain: most == 1 ? 2 : 3) {
        return .frames(coding, from: found)
      }
    }
    return nil
  }

  /// How far a stream is looked for that does not begin at once: farther than any gap between a tag and its sound.
  private static let mostSearched = 1 << 20
  /// How ASF begins.
  private static let asf: [UInt8] = [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11]

  /// Where a file begins behind tags of the kind ID3v2.
  static func afterTags(of file: RegularFile) -> Int64 {
    var place: Int64 = 0
    // A second tag behind the first is seen now and then; a hundred are an attack.
    for _ in 0..<8 {
      let size = SoundTags.id3(file.bytes(at: place, count: 10))
      if size == 0 { break }
      place += size
    }
    return place
  }

  private static func caf(_ head: [UInt8]) -> DecoderChoice {
    guard head.has("desc", at: 8) else { return .sndfile }
    return ["lpcm", "ulaw", "alaw"].contains(head.letters(28)) ? .sndfile : .ffmpeg(.caf)
  }

  private static func ogg(_ head: [UInt8]) -> DecoderChoice {
    // The first packet follows the page's header of 27 bytes and one for every segment.
    let body = 27 + (head.count > 26 ? Int(head[26]) : 0)
    let isOurs =
      head.has("\u{7F}FLAC", at: body) || head.has("\u{01}vorbis", at: body) || head.has("OpusHead", at: body)
      || head.has("Speex   ", at: body)
    return isOurs ? .ogg : .sndfile
  }

  private static func isImaAiff(_ file: RegularFile) -> Bool {
    let chunk = Chunks(of: file, from: 12, order: .big).first { $0.name == "COMM" }
    return chunk.map { file.bytes(at: $0.start + 18, count: 4).letters(0) == "ima4" } ?? false
  }

  /// The number of the coding in a WAV file.
  private static func waveCoding(_ file: RegularFile) -> Int? {
    let chunk = Chunks(of: file, from: 12, order: .little).first { $0.name == "fmt " }
    return chunk.flatMap { file.bytes(at: $0.start, count: 2).little(0, 2) }.map(Int.init)
  }

  /// MP3 (0x55) and AAC (0xFF) in WAV are FFmpeg's.
  private static func wave(_ coding: Int) -> DecoderChoice {
    [0x50, 0x55, 0xFF].contains(coding) ? .ffmpeg(.wave) : .sndfile
  }
}
