#if FFmpeg
  import CFfmpeg

  /// An FFmpeg decoder: packets in, frames out. [one]
  final class PacketDecoder {
    private let library: vg_ffmpeg
    private var context: UnsafeMutablePointer<AVCodecContext>?
    private var frame: UnsafeMutablePointer<AVFrame>?

    /// The last frame; its samples are valid until the next step.
    var current: UnsafeMutablePointer<AVFrame>? { frame }
    /// FFmpeg's number of the codec profile; for AAC valid only after the first frame.
    var profile: Int64? {
      var profile: Int64 = 0
      guard let context, library.av_opt_get_int(context, "profile", 0, &profile) >= 0 else { return nil }
      return profile
    }

    /// The result of a step.
    enum Step {
      case frame
      case wantsPacket
      case end
      case broken(Int32)
    }

    /// Names of FFmpeg's decoders that differ from those of the codecs.
    private static let names = [
      "mp1": ["mp1float"], "mp2": ["mp2float"], "mp3": ["mp3float"], "opus": ["libopus"],
    ]
    /// The most samples per channel of a frame. FLAC's may have 65,535, ALAC's 16,384.
    private static let mostSamples: Int64 = 1 << 18

    /// Sets up a decoder.
    ///
    /// - Parameter trimsItself: whether FFmpeg trims the samples that the container says are not to be played.
    init(
      _ library: vg_ffmpeg, codec: String, parameters: UnsafePointer<AVCodecParameters>?, base: AVRational?,
      trimsItself: Bool, path: String
    ) throws(AudioError) {
      self.library = library
      // libopus is preferred if FFmpeg has it: the output of FFmpeg's own Opus decoder differs a little.
      let names = (PacketDecoder.names[codec] ?? []) + [codec]
      guard let decoder = names.lazy.compactMap({ library.avcodec_find_decoder_by_name($0) }).first else {
        throw AudioError(.decoder, path: path, reason: "FFmpeg is there without a decoder for \(codec)")
      }
      context = library.avcodec_alloc_context3(decoder)
      frame = library.av_frame_alloc()
      guard let context, frame != nil else { throw AudioError(.decoder, path: path, reason: "no memory") }
      if let parameters {
        let result = library.avcodec_parameters_to_context(context, parameters)
        guard result >= 0 else { throw AudioError(.notAudio, path: path, reason: library.words(result)) }
      }
      // Sets fields by option name, because their offsets differ between versions.
      var options: OpaquePointer?
      defer { library.av_dict_free(&options) }
      if let base { _ = library.av_dict_set(&options, "pkt_timebase", "\(base.num)/\(base.den)", 0) }
      _ = library.av_dict_set(&options, "threads", "1", 0)
      _ = library.av_dict_set(&options, "request_sample_fmt", "flt", 0)
      _ = library.av_dict_set(&options, "max_samples", "\(PacketDecoder.mostSamples)", 0)
      if !trimsItself { _ = library.av_dict_set(&options, "flags2", "+skip_manual", 0) }
      let result = library.avcodec_open2(context, decoder, &options)
      guard result >= 0 else { throw AudioError(.notAudio, path: path, reason: library.words(result)) }
    }

    deinit {
      library.av_frame_free(&frame)
      library.avcodec_free_context(&context)
    }

    /// Sends a packet, or nil for the end of the stream.
    func send(_ packet: UnsafeMutablePointer<AVPacket>?) -> Int32 {
      // `Trim` decides what is not played, not the container's discard flag.
      packet?.pointee.flags &= ~AV_PKT_FLAG_DISCARD
      return library.avcodec_send_packet(context, packet)
    }

    /// Receives the next frame.
    func receive() -> Step {
      let result = library.avcodec_receive_frame(context, frame)
      if result == vg_AVERROR_EAGAIN { return .wantsPacket }
      if result == vg_AVERROR_EOF { return .end }
      return result < 0 ? .broken(result) : .frame
    }

    /// Channels of the frame; 0 without one.
    var channels: Int { frame.map { Int(vg_frame_layout($0).pointee.nb_channels) } ?? 0 }
    /// Sample rate of the frame in Hz; 0 without one.
    var rate: Int { frame.map { Int(vg_frame_rate($0)) } ?? 0 }
    /// Samples per channel of the frame.
    var count: Int { Int(frame?.pointee.nb_samples ?? 0) }

    /// FFmpeg's number of each channel (AVChannel); empty if the layout is unspecified.
    func channelNumbers() -> [Int] {
      guard let frame else { return [] }
      let layout = vg_frame_layout(frame)
      guard layout.pointee.order != AV_CHANNEL_ORDER_UNSPEC else { return [] }
      return (0..<channels).map {
        Int(library.av_channel_layout_channel_from_index(layout, UInt32($0)).rawValue)
      }
    }
  }

  /// The source of a stream's packets: an FFmpeg demuxer, or our parsers of bare frames and of Ogg. [one]
  protocol PacketSource: AnyObject {
    /// Codec parameters for the decoder, if the source has them.
    var parameters: UnsafePointer<AVCodecParameters>? { get }
    /// FFmpeg's name of the codec.
    var codec: String { get }

    /// Reads the next packet.
    func next(into packet: UnsafeMutablePointer<AVPacket>) -> PacketStep

    /// Seeks to the last packet that begins at or before a sample. Returns whether it could.
    ///
    /// - Parameters:
    ///   - sample: counted from the first decoded sample, before anything is trimmed.
    ///   - rate: sample rate of the decoded sound in Hz.
    func seek(to sample: Int64, rate: Int) -> Bool

    /// The sample at which the last packet begins; nil if the container does not say.
    func start(of packet: UnsafePointer<AVPacket>, rate: Int) -> Int64?
  }

  /// The result of `next`.
  enum PacketStep {
    case packet
    case end
    /// An FFmpeg error code.
    case broken(Int32)
  }
#endif
