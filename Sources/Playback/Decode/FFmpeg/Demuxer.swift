import System

#if FFmpeg
  import CFfmpeg

  /// A container opened by FFmpeg: one sound stream, its tags and its picture. [one]
  ///
  /// FFmpeg gets the name of the container, so it tries no other. It can open no other file and no address.
  final class Demuxer: PacketSource {
    private let library: vg_ffmpeg
    private let cursor: ByteCursor
    private var context: UnsafeMutablePointer<AVFormatContext>?
    private var io: UnsafeMutablePointer<AVIOContext>?
    /// The stream that is decoded; nil if none can be.
    private(set) var stream: UnsafeMutablePointer<AVStream>?
    let codec: String

    /// The codecs that are decoded, by FFmpeg's names.
    static let codecs: Set<String> = [
      "aac", "alac", "flac", "mp3", "opus", "vorbis", "ilbc", "adpcm_ima_qt", "adpcm_ima_wav", "adpcm_ms",
      "wavpack", "tta", "wmav1", "wmav2", "dsd_lsbf_planar", "dsd_msbf_planar",
      "pcm_s8", "pcm_u8", "pcm_s16le", "pcm_s16be", "pcm_s24le", "pcm_s24be", "pcm_s32le", "pcm_s32be",
      "pcm_f32le", "pcm_f32be", "pcm_f64le", "pcm_f64be", "pcm_mulaw", "pcm_alaw",
    ]
    /// The most streams of a container that FFmpeg opens, and among which the sound is looked for.
    private static let mostStreams = 64

    /// Opens a file.
    ///
    /// - Throws: `AudioError` with the code `.notAudio` or `.decoder`.
    init(_ file: RegularFile, as container: DecoderChoice.Container) throws(AudioError) {
      let library = try FFmpegLibrary.functions(for: file.path)
      self.library = library
      cursor = ByteCursor(file)
      let failure: Int32
      (context, io, failure) = Demuxer.open(library, cursor, container)
      guard let context else {
        codec = ""
        // All properties are set now, so `deinit` follows the throw, and must find nothing to close.
        Demuxer.close(library, nil, io)
        io = nil
        let reason = failure == vg_AVERROR_INVALIDDATA ? "its head is damaged" : library.words(failure)
        throw AudioError(.notAudio, path: file.path, reason: reason)
      }
      let streams = (0..<min(Int(context.pointee.nb_streams), Demuxer.mostStreams)).compactMap {
        context.pointee.streams[$0]
      }
      let sounds = streams.filter { vg_stream_parameters($0).pointee.codec_type == AVMEDIA_TYPE_AUDIO }
      let names = sounds.map { text(library.avcodec_get_name(vg_stream_parameters($0).pointee.codec_id)) }
      let chosen = names.firstIndex { Demuxer.codecs.contains($0) }
      stream = chosen.map { sounds[$0] }
      codec = chosen.map { names[$0] } ?? names.first ?? ""
      // The packets of all other streams are skipped.
      for other in streams where other != stream { vg_stream_discard(other) }
    }

    deinit { Demuxer.close(library, context, io) }

    private static func open(
      _ library: vg_ffmpeg, _ cursor: ByteCursor, _ container: DecoderChoice.Container
    ) -> (UnsafeMutablePointer<AVFormatContext>?, UnsafeMutablePointer<AVIOContext>?, Int32) {
      let room = 32768
      guard let buffer = library.av_malloc(room) else { return (nil, nil, vg_AVERROR_EIO) }
      guard
        let io = library.avio_alloc_context(
          buffer.assumingMemoryBound(to: UInt8.self), Int32(room), 0,
          Unmanaged.passUnretained(cursor).toOpaque(), ByteCursor.reading, nil, ByteCursor.seeking)
      else {
        library.av_free(buffer)
        return (nil, nil, vg_AVERROR_EIO)
      }
      guard var context = library.avformat_alloc_context() else { return (nil, io, vg_AVERROR_EIO) }
      context.pointee.pb = io
      vg_ffmpeg_open_nothing(context)
      var options: OpaquePointer?
      defer { library.av_dict_free(&options) }
      _ = library.av_dict_set(&options, "format_whitelist", fullName(of: container), 0)
      _ = library.av_dict_set(&options, "protocol_whitelist", "", 0)
      _ = library.av_dict_set(&options, "max_streams", "\(mostStreams)", 0)
      if container == .movie {
        // `MovieTrack` computes what is trimmed at both ends.
        _ = library.av_dict_set(&options, "ignore_editlist", "1", 0)
        _ = library.av_dict_set(&options, "ignore_chapters", "1", 0)
      }
      var opened: UnsafeMutablePointer<AVFormatContext>? = context
      let result = library.avformat_open_input(
        &opened, "", library.av_find_input_format(container.rawValue), &options)
      guard result >= 0, let opened else { return (nil, io, result) }
      context = opened
      return (context, io, 0)
    }

    private static func close(
      _ library: vg_ffmpeg, _ context: UnsafeMutablePointer<AVFormatContext>?,
      _ io: UnsafeMutablePointer<AVIOContext>?
    ) {
      var context = context
      if context != nil { library.avformat_close_input(&context) }
      guard let io else { return }
      // FFmpeg may have replaced the buffer that it was given.
      library.av_free(io.pointee.buffer)
      var closing: UnsafeMutablePointer<AVIOContext>? = io
      library.avio_context_free(&closing)
    }

    /// The full name of FFmpeg's demuxer, for the whitelist. It lists the names of all containers that the demuxer reads.
    private static func fullName(of container: DecoderChoice.Container) -> String {
      switch container {
      case .movie: "mov,mp4,m4a,3gp,3g2,mj2"
      case .matroska: "matroska,webm"
      default: container.rawValue
      }
    }

    var parameters: UnsafePointer<AVCodecParameters>? {
      stream.map { UnsafePointer(vg_stream_parameters($0)) }
    }

    /// Converts a time in the stream's units to samples; nil if no real sound is as long.
    func samples(_ duration: Int64, rate: Int) -> Int64? {
      guard let base = stream.map({ vg_stream_time_base($0) }), base.num > 0, base.den > 0 else { return nil }
      return Demuxer.withinLongestSound(
        scaled(duration, by: Int64(base.num) * Int64(rate), over: Int64(base.den)))
    }

    /// Length of the stream in samples, if the container knows it.
    func length(rate: Int) -> Int64? {
      if let duration = stream.map({ vg_stream_duration($0) }), duration != vg_AV_NOPTS_VALUE, duration > 0 {
        return samples(duration, rate: rate)
      }
      guard let duration = context.map({ vg_context_duration($0) }), duration != vg_AV_NOPTS_VALUE,
        duration > 0
      else { return nil }
      return Demuxer.withinLongestSound(scaled(duration, by: Int64(rate), over: Int64(AV_TIME_BASE)))
    }

    /// The count of samples; nil if it is beyond `AudioFormat.mostSamples` on either side of 0.
    private static func withinLongestSound(_ samples: Int64?) -> Int64? {
      samples.flatMap { (-AudioFormat.mostSamples..<AudioFormat.mostSamples).contains($0) ? $0 : nil }
    }

    func next(into packet: UnsafeMutablePointer<AVPacket>) -> PacketStep {
      guard let context, let stream else { return .end }
      cursor.refill()
      // Some demuxers give packets of streams that are discarded, such as a few hundred of the picture between two of
      // sound. Of packets below 1 KB as many as this are skipped; with larger ones `ByteCursor` ends first.
      for _ in 0..<100_000 {
        let result = library.av_read_frame(context, packet)
        if result == vg_AVERROR_EOF { return .end }
        if result < 0 { return .broken(result) }
        if packet.pointee.stream_index == vg_stream_index(stream) { return .packet }
        library.av_packet_unref(packet)
      }
      return .broken(vg_AVERROR_INVALIDDATA)
    }

    func seek(to sample: Int64, rate: Int) -> Bool {
      guard let context, let stream else { return false }
      let base = vg_stream_time_base(stream)
      guard base.num > 0, let time = scaled(sample, by: Int64(base.den), over: Int64(base.num) * Int64(rate))
      else {
        return false
      }
      cursor.refill()
      return library.av_seek_frame(context, vg_stream_index(stream), time, AVSEEK_FLAG_BACKWARD) >= 0
    }

    func start(of packet: UnsafePointer<AVPacket>, rate: Int) -> Int64? {
      packet.pointee.pts == vg_AV_NOPTS_VALUE ? nil : samples(packet.pointee.pts, rate: rate)
    }

    /// Metadata of the container and of the stream.
    private var dictionaries: [OpaquePointer?] {
      [context.flatMap { vg_context_metadata($0) }, stream.flatMap { vg_stream_metadata($0) }]
    }

    /// The value of a tag of the container or of the stream, with a 0 byte behind it; valid as long as the demuxer.
    private func value(ofTag name: String) -> UnsafePointer<CChar>? {
      for dictionary in dictionaries {
        if let entry = library.av_dict_get(dictionary, name, nil, 0), let value = entry.pointee.value {
          return UnsafePointer(value)
        }
      }
      return nil
    }

    /// The bytes of a tag in any character set, at most `TagText.most`.
    func tag(_ name: String) -> [UInt8]? { value(ofTag: name).map { tagBytes($0) } }

    /// A tag of numbers, such as `iTunSMPB`, as text without a guess at its character set; at most 4096 bytes, because
    /// these may be longer than words.
    func rawTag(_ name: String) -> String? {
      guard let value = value(ofTag: name) else { return nil }
      return String(
        decoding: UnsafeBufferPointer(start: value, count: 4096).lazy.map(UInt8.init(bitPattern:)).prefix {
          $0 != 0
        }, as: UTF8.self)
    }

    /// The stream of the first attached picture.
    var picture: UnsafeMutablePointer<AVStream>? {
      guard let context else { return nil }
      return (0..<Int(context.pointee.nb_streams)).lazy.compactMap { context.pointee.streams[$0] }
        .first { vg_stream_picture($0) != nil }
    }

    /// A copy of the cover picture.
    func cover() -> CoverPicture? {
      guard let picture, let packet = vg_stream_picture(picture), let bytes = packet.pointee.data else {
        return nil
      }
      let count = Int(packet.pointee.size)
      guard count <= CoverPicture.most else { return nil }
      let type =
        switch text(library.avcodec_get_name(vg_stream_parameters(picture).pointee.codec_id)) {
        case "mjpeg": "image/jpeg"
        case "png": "image/png"
        case "gif": "image/gif"
        case "bmp": "image/bmp"
        case "webp": "image/webp"
        case "tiff": "image/tiff"
        default: "application/octet-stream"
        }
      return CoverPicture(mediaType: type, bytes: Array(UnsafeBufferPointer(start: bytes, count: count)))
    }
  }

  /// `value` × `factor` ÷ `divisor`, rounded to the nearest; nil on overflow.
  func scaled(_ value: Int64, by factor: Int64, over divisor: Int64) -> Int64? {
    guard divisor > 0, factor >= 0 else { return nil }
    let product = value.magnitude.multipliedFullWidth(by: factor.magnitude)
    guard product.high < divisor.magnitude else { return nil }
    let (quotient, remainder) = divisor.magnitude.dividingFullWidth(product)
    let rounded = quotient.addingReportingOverflow(remainder >= (divisor.magnitude + 1) / 2 ? 1 : 0)
    guard !rounded.overflow, let whole = Int64(exactly: rounded.partialValue) else { return nil }
    return value < 0 ? -whole : whole
  }
#endif
