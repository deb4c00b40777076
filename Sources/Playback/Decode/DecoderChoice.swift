import System

/// Which decoder a file is given to, by its container and its coding, never by its name. [any]
///
/// libsndfile has linear PCM, µ-law and A-law, the ADPCM of WAV, FLAC and MP3; FFmpeg has the rest. Ogg is among the rest
/// as libsndfile finds places in Vorbis that are hundreds of samples off, and looks for ever in a broken Opus file.
enum DecoderChoice: Equatable {
  /// libsndfile.
  case sndfile
  /// FFmpeg, with the demuxer of this name.
  case ffmpeg(Container)
  /// AAC without a container: frames one after the other from a place on.
  case adts(from: Int64)
  /// Vorbis, Opus or FLAC in Ogg, its pages taken apart by ourselves and its packets decoded by FFmpeg.
  case ogg

  /// The containers that FFmpeg opens; nothing else is ever given to it.
  enum Container: String, CaseIterable {
    case movie = "mov"
    case caf = "caf"
    case aiff = "aiff"
    case ogg = "ogg"
    case matroska = "matroska"
    case ilbc = "ilbc"
    case wave = "wav"
    // Only for their tags and pictures.
    case adts = "aac"
    case flac = "flac"
    case mp3 = "mp3"
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
    } else if ADTSHeader(head) != nil {
      self = .adts(from: start)
    } else {
      self = .sndfile
    }
  }

  /// Where a file begins behind tags of the kind ID3v2.
  static func afterTags(of file: RegularFile) -> Int64 {
    var place: Int64 = 0
    // A second tag behind the first is seen now and then; a hundred are an attack.
    for _ in 0..<8 {
      let head = file.bytes(at: place, count: 10)
      guard head.count == 10, head.has("ID3"), head[3] < 0xFF, head[6...9].allSatisfy({ $0 < 0x80 }) else {
        break
      }
      let size = head[6...9].reduce(Int64(0)) { $0 << 7 | Int64($1) }
      place += 10 + size + (head[5] & 0x10 != 0 ? 10 : 0)
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
