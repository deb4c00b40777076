import System

#if FFmpeg
  import CFfmpeg

  /// An audio file decoded by FFmpeg: AAC, ALAC, IMA4, iLBC and others that libsndfile does not read. [one]
  ///
  /// Samples are counted from the first packet on, and `Trim` removes what the container says is not to be played. So
  /// a sample number means the same however it was reached.
  final class FFmpegFile: AudioReader {
    let format: AudioFormat
    private(set) var nonFinite = 0
    private(set) var fault: AudioError?
    private(set) var breaks = DecodeBreaks()
    /// The sample that is read next, from 0.
    private(set) var position: Int64 = 0

    private let file: RegularFile
    private let route: DecoderChoice
    private let library: vg_ffmpeg
    private var stream: FrameStream
    private var trim: Trim
    private var isOver = false
    /// The tags, once they have been read.
    private var knownTags: AudioTags?

    var path: String { file.path }

    /// Opens the sound of a file.
    ///
    /// - Parameter counts: whether the exact length is needed, even if this takes reading the whole file.
    /// - Throws: `AudioError`: `.empty`, `.notAudio`, `.decoder`, `.channels` or `.rate`.
    init(_ file: RegularFile, _ route: DecoderChoice, counts: Bool = true) throws(AudioError) {
      self.file = file
      self.route = route
      library = try FFmpegLibrary.functions(for: file.path)
      stream = try FrameStream(file, route, library, counts: counts)
      let first = stream.first
      guard AudioFormat.channelRange.contains(first.channels) else {
        throw AudioError(.channels, path: file.path, reason: "\(first.channels) channels")
      }
      guard AudioFormat.rateRange.contains(first.rate) else {
        throw AudioError(.rate, path: file.path, reason: "\(first.rate) Hz")
      }
      trim = Trim(file, route, stream)
      let (begin, end) = (trim.start, trim.end)
      let frames = end.map { max(0, $0 - begin) }
      if frames == 0 { throw AudioError(.empty, path: file.path, reason: "0 samples") }
      format = AudioFormat(
        channels: first.channels, rate: first.rate, frames: frames, framesAreExact: trim.isExact,
        description: FFmpegFile.words(route, stream),
        channelNames: SpeakerNames.completed(
          SpeakerNames.names(ffmpeg: first.names), channels: first.channels),
        codec: CodecNames.short(stream.codec, isHigh: first.isHigh),
        bitRate: AudioFormat.bitRate(bytes: file.size, frames: frames, rate: first.rate),
        warning: (FFmpegFile.cut(stream, trim) ?? FFmpegFile.cut(file, route, stream)).map {
          AudioError(.truncated, path: file.path, reason: $0)
        })
    }

    /// Describes what is missing of the sound, as far as known; nil if nothing is.
    private static func cut(_ stream: FrameStream, _ trim: Trim) -> String? {
      if trim.isCut { return "its last page is missing" }
      guard let packets = stream.source as? FramePackets, let end = trim.end else { return nil }
      let frames = max(0, end - trim.start)
      if let other = packets.other {
        return "after sample \(frames) it goes on as \(other.codec) at \(other.rate) Hz, which is left out"
      }
      if packets.missing > 0 {
        let all = frames + Int64(packets.missing) * packets.samples(stream.first.rate)
        return "\(frames) samples of \(all)"
      }
      return packets.isCut ? "its last frame is not all there" : nil
    }

    /// Describes what is missing of linear PCM, by the bytes of the file.
    private static func cut(_ file: RegularFile, _ route: DecoderChoice, _ stream: FrameStream) -> String? {
      guard route == .ffmpeg(.caf) || route == .ffmpeg(.w64), stream.codec.hasPrefix("pcm_") else {
        return nil
      }
      return TruncationCheck.words(of: file)
    }

    func read(_ count: Int, into destination: PlanarSamples) -> Int {
      var done = 0
      while done < count, !isOver {
        let wanted = trim.start + position
        let end = trim.isExact ? trim.end : nil
        if let end, wanted >= end {
          isOver = true
          noteCut()
          break
        }
        guard let piece = stream.piece(at: wanted, onBreak: { self.note($0) }) else {
          finish()
          break
        }
        // Frames that were counted meanwhile may end before what was decoded.
        if !trim.isExact, findEnd() { continue }
        let room = min(count - done, end.map { Int(clamping: $0 - wanted) } ?? .max)
        let given = min(room, piece.count)
        let place = destination.dropFirst(done)
        if piece.isSilence {
          silence(place, from: 0, count: given)
        } else if let frame = stream.frame {
          nonFinite += copy(frame, from: piece.offset, count: given, into: place)
        }
        done += given
        position += Int64(given)
      }
      return done
    }

    private func note(_ reason: String) {
      breaks.note(
        AudioError(.read, path: path, reason: "after sample \(position): " + reason), at: position)
    }

    /// Sets the end from the frames, once they have been counted. Returns whether it is exact now.
    private func findEnd() -> Bool {
      guard let packets = stream.source as? FramePackets, packets.count != nil else { return false }
      trim.frames(packets, stream.first.rate)
      return trim.isExact
    }

    /// Reports at the end that something is missing, if it was not known at opening.
    private func noteCut() {
      guard format.warning == nil, let reason = FFmpegFile.cut(stream, trim) else { return }
      fault = AudioError(.truncated, path: path, reason: reason)
    }

    /// Ends reading, with a fault if more should have come.
    private func finish() {
      isOver = true
      // If the length was unknown, a position beyond the end becomes the end.
      if !trim.isExact { position = min(position, max(0, stream.reached - trim.start)) }
      if let reason = stream.failure {
        fault = AudioError(.read, path: path, reason: "after sample \(position): " + reason)
      } else if let change = stream.change {
        fault = AudioError(.truncated, path: path, reason: "after sample \(position) " + change)
      } else if trim.isExact, let end = trim.end, position < end - trim.start {
        fault = AudioError(.truncated, path: path, reason: "\(position) samples of \(end - trim.start)")
      } else {
        noteCut()
      }
    }

    func rewind() throws(AudioError) { try seek(to: 0) }

    func seek(to frame: Int64) throws(AudioError) {
      let frame = max(0, min(frame, trim.isExact ? trim.end.map { $0 - trim.start } ?? .max : .max / 4))
      if fault != nil || stream.failure != nil || stream.change != nil { try stream.restart() }
      try stream.seek(to: trim.start + frame)
      position = frame
      isOver = false
      fault = nil
    }

    var tags: AudioTags {
      if let knownTags { return knownTags }
      let tags = (try? Demuxer(file, as: container)).map { FFmpegFile.tags($0, of: file) } ?? AudioTags()
      knownTags = tags
      return tags
    }

    func cover() -> CoverPicture? { (try? Demuxer(file, as: container))?.cover() }

    private var container: DecoderChoice.Container {
      switch route {
      case .ffmpeg(let container): container
      case .ogg: .ogg
      case .frames(.mpeg, _): .mp3
      default: .adts
      }
    }

    static func tags(_ demuxer: Demuxer, of file: RegularFile) -> AudioTags {
      var bytes = TagBytes()
      bytes.title = demuxer.tag("title")
      bytes.artist = demuxer.tag("artist") ?? demuxer.tag("album_artist")
      bytes.album = demuxer.tag("album")
      // FFmpeg decodes texts that are not marked as UTF-8 or UTF-16 as ISO 8859-1; these are guessed anew.
      if let old = ID3Texts(of: file) { bytes.take(old) }
      var tags = AudioTags()
      (tags.title, tags.artist, tags.album) = bytes.texts
      tags.loudness = LoudnessTags { demuxer.rawTag($0) }
      tags.hasCover = demuxer.picture != nil
      return tags
    }

    private static func words(_ route: DecoderChoice, _ stream: FrameStream) -> String {
      let container =
        switch route {
        case .ffmpeg(.movie): "MPEG-4"
        case .ffmpeg(.caf): "CAF (Apple 4-byte)"
        case .ffmpeg(.aiff): "AIFF (Apple/SGI)"
        case .ogg, .ffmpeg(.ogg): "OGG (OGG Container format)"
        case .ffmpeg(.matroska): "Matroska"
        case .ffmpeg(.ilbc): "iLBC storage"
        case .ffmpeg(.wave): "WAV (Microsoft)"
        case .ffmpeg(.wavpack), .ffmpeg(.tta), .frames(.ac3, _): ""
        case .ffmpeg(.asf): "ASF"
        case .ffmpeg(.dsf): "DSF"
        case .ffmpeg(.au): "AU (Sun/NeXT)"
        case .ffmpeg(.w64): "W64 (SoundFoundry WAVE 64)"
        case .ffmpeg(.flac), .ffmpeg(.mp3), .ffmpeg(.adts), .sndfile: ""
        case .frames(.adts, _): "ADTS"
        case .frames(.mpeg, _): "MPEG-1/2 Audio"
        }
      let coding = CodecNames.long(stream.codec, isHigh: stream.first.isHigh)
      return container.isEmpty ? coding : "\(container), \(coding)"
    }
  }

  /// Access to FFmpeg's functions, which are loaded when the first file needs them. [any]
  enum FFmpegLibrary {
    /// Whether the libraries can be loaded.
    static var isThere: Bool { vg_ffmpeg_functions() != nil }

    /// The functions.
    ///
    /// - Throws: `AudioError` with the code `.decoder` if the libraries cannot be loaded.
    static func functions(for path: String) throws(AudioError) -> vg_ffmpeg {
      guard let functions = vg_ffmpeg_functions() else {
        throw AudioError(.decoder, path: path, reason: text(vg_ffmpeg_reason()))
      }
      return functions.pointee
    }
  }

  extension vg_ffmpeg {
    /// Our sentence for an FFmpeg error code.
    func words(_ error: Int32) -> String { DecodeFault.words(ffmpeg: error) }
  }
#endif

/// Names of codecs. [any]
enum CodecNames {
  /// Short name, from FFmpeg's name.
  static func short(_ codec: String, isHigh: Bool) -> String {
    switch codec {
    case "aac": isHigh ? "he-aac" : "aac"
    case "adpcm_ima_qt": "ima4"
    case "pcm_mulaw": "ulaw"
    case "pcm_alaw": "alaw"
    case _ where codec.hasPrefix("dsd_"): "dsd"
    case _ where codec.hasPrefix("pcm_"):
      codec.hasSuffix("le") || codec.hasSuffix("be") ? String(codec.dropLast(2)) : codec
    default: codec
    }
  }

  /// Usual name for people, from FFmpeg's name.
  static func long(_ codec: String, isHigh: Bool) -> String {
    switch codec {
    case "aac": isHigh ? "HE-AAC" : "AAC"
    case "alac": "Apple Lossless"
    case "adpcm_ima_qt": "IMA4"
    case "ilbc": "iLBC"
    case "opus": "Opus"
    case "vorbis": "Vorbis"
    case "flac", "mp1", "mp2", "mp3", "tta": codec.uppercased()
    case "ac3": "AC-3"
    case "wavpack": "WavPack"
    case "speex": "Speex"
    case "wmav1": "Windows Media Audio 1"
    case "wmav2": "Windows Media Audio 2"
    case _ where codec.hasPrefix("dsd_"): "DSD"
    default: short(codec, isHigh: isHigh)
    }
  }
}

extension AudioFormat {
  /// Mean bit rate of a whole file in bits per second; nil if its length is unknown.
  static func bitRate(bytes: Int64, frames: Int64?, rate: Int) -> Int? {
    guard let frames, frames > 0 else { return nil }
    let bits = Double(bytes) * 8 * Double(rate) / Double(frames)
    return bits < 1e12 ? Int(bits.rounded()) : nil
  }
}
