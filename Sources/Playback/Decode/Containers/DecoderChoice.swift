import System

/// Chooses the decoder of a file by its container and its codec, never by its name. [any]
///
/// libsndfile decodes linear PCM, µ-law, A-law, the ADPCM of WAV, and FLAC. FFmpeg decodes the rest, and files that
/// libsndfile refuses of containers that both know. Ogg is not left to libsndfile: in Vorbis it seeks hundreds of
/// samples off, and in a broken Opus file it loops for ever. MPEG audio is not either: libsndfile believes the length
/// that a file states, and ends at the first broken frame.
enum DecoderChoice: Equatable {
  /// libsndfile.
  case sndfile
  /// FFmpeg, with the demuxer of this name.
  case ffmpeg(Container)
  /// AAC, MPEG audio or AC-3 without a container: consecutive frames from a byte offset on.
  case frames(FrameCoding, from: Int64)
  /// Vorbis, Opus, FLAC or Speex in Ogg: visgraph parses the pages, FFmpeg decodes the packets.
  case ogg

  /// The containers that FFmpeg opens, by its names; it is given no others.
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
    // Only where libsndfile refuses them.
    case flac = "flac"
    case au = "au"
    case w64 = "w64"
    // Only for their tags and pictures.
    case adts = "aac"
    case mp3 = "mp3"

    /// Whether the length in the container can be compared to the size of the file, for a codec by FFmpeg's name.
    func isExact(_ codec: String) -> Bool {
      switch self {
      case .wave, .aiff, .au, .w64: codec.hasPrefix("pcm_")
      case .wavpack, .tta: true
      default: false
      }
    }
  }

  /// Chooses by the beginning of a file.
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

  /// The second choice when libsndfile has refused a file: the container that its first bytes name, or MPEG or AC-3
  /// frames behind other bytes.
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

  /// Consecutive frames from an offset on, or behind at most `most` other bytes.
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

  /// Bytes that are searched for the first frame: more than any gap between a tag and the sound.
  private static let mostSearched = 1 << 20
  /// The first bytes of an ASF file.
  private static let asf: [UInt8] = [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11]

  /// The byte offset behind the ID3v2 tags at the beginning.
  static func afterTags(of file: RegularFile) -> Int64 {
    var place: Int64 = 0
    // Some files have a second tag; eight bound the work.
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
    // The first packet follows the page header of 27 bytes and the segment table.
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

  /// The format tag of a WAV file.
  private static func waveCoding(_ file: RegularFile) -> Int? {
    let chunk = Chunks(of: file, from: 12, order: .little).first { $0.name == "fmt " }
    return chunk.flatMap { file.bytes(at: $0.start, count: 2).little(0, 2) }.map(Int.init)
  }

  /// FFmpeg decodes MPEG (0x50), MP3 (0x55) and AAC (0xFF) in WAV.
  private static func wave(_ coding: Int) -> DecoderChoice {
    [0x50, 0x55, 0xFF].contains(coding) ? .ffmpeg(.wave) : .sndfile
  }
}
