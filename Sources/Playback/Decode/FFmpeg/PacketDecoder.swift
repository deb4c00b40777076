#if FFmpeg
  import CFfmpeg

  /// A decoder of FFmpeg: packets in, frames out. [one]
  final class PacketDecoder {
    private let library: vg_ffmpeg
    private var context: UnsafeMutablePointer<AVCodecContext>?
    private var frame: UnsafeMutablePointer<AVFrame>?

    /// The frame that came last; its samples stay until the next step.
    var current: UnsafeMutablePointer<AVFrame>? { frame }
    /// The profile of the coding, by FFmpeg's number, which for AAC is right only behind the first frame.
    var profile: Int64? {
      var profile: Int64 = 0
      guard let context, library.av_opt_get_int(context, "profile", 0, &profile) >= 0 else { return nil }
      return profile
    }

    /// What came of a step.
    enum Step {
      case frame
      case wantsPacket
      case end
      case broken(Int32)
    }

    /// The decoders by coding, where they bear another name.
    private static let names = [
      "mp1": ["mp1float"], "mp2": ["mp2float"], "mp3": ["mp3float"], "opus": ["libopus"],
    ]
    /// Samples per channel of a frame; FLAC's and ALAC's may have 65,535 and 16,384.
    private static let mostSamples: Int64 = 1 << 18

    /// Sets up a decoder.
    ///
    /// - Parameter trimsItself: whether FFmpeg should leave out what the container has it leave out.
    init(
      _ library: vg_ffmpeg, codec: String, parameters: UnsafePointer<AVCodecParameters>?, base: AVRational?,
      trimsItself: Bool, path: String
    ) throws(AudioError) {
      self.library = library
      // Opus by its own library where FFmpeg has it: its own decoder is a little off.
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
      // By name, as each version has them in other places.
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

    /// Takes a packet, or nil for the end of them.
    func send(_ packet: UnsafeMutablePointer<AVPacket>?) -> Int32 {
      // The container's mark "not to be heard" is ours to judge.
      packet?.pointee.flags &= ~AV_PKT_FLAG_DISCARD
      return library.avcodec_send_packet(context, packet)
    }

    /// Gives the next frame.
    func receive() -> Step {
      let result = library.avcodec_receive_frame(context, frame)
      if result == vg_AVERROR_EAGAIN { return .wantsPacket }
      if result == vg_AVERROR_EOF { return .end }
      return result < 0 ? .broken(result) : .frame
    }

    /// The frame's channels, 0 where it has none.
    var channels: Int { frame.map { Int(vg_frame_layout($0).pointee.nb_channels) } ?? 0 }
    /// The frame's samples a second, 0 where it has none.
    var rate: Int { frame.map { Int(vg_frame_rate($0)) } ?? 0 }
    /// The frame's samples per channel.
    var count: Int { Int(frame?.pointee.nb_samples ?? 0) }

    /// What FFmpeg calls the frame's channels, one number each; empty where it does not know.
    func channelNumbers() -> [Int] {
      guard let frame else { return [] }
      let layout = vg_frame_layout(frame)
      guard layout.pointee.order != AV_CHANNEL_ORDER_UNSPEC else { return [] }
      return (0..<channels).map {
        Int(library.av_channel_layout_channel_from_index(layout, UInt32($0)).rawValue)
      }
    }
  }

  /// Where the packets of one stream come from: FFmpeg's demuxers, or the frames of bare AAC. [one]
  protocol PacketSource: AnyObject {
    /// What the decoder is to be given of the stream.
    var parameters: UnsafePointer<AVCodecParameters>? { get }
    /// The name of its coding, as FFmpeg has it.
    var codec: String { get }

    /// Takes the next packet.
    func next(into packet: UnsafeMutablePointer<AVPacket>) -> PacketStep

    /// Goes to the last packet that begins at or before a sample of the whole stream; says whether it could.
    ///
    /// - Parameters:
    ///   - sample: from the first sample that the stream decodes to, before anything is trimmed.
    ///   - rate: samples per second of what is decoded.
    func seek(to sample: Int64, rate: Int) -> Bool

    /// The sample at which the packet that came last begins; nil where the container does not say.
    func start(of packet: UnsafePointer<AVPacket>, rate: Int) -> Int64?
  }

  /// What came of asking for a packet.
  enum PacketStep {
    case packet
    case end
    /// The number of FFmpeg's error.
    case broken(Int32)
  }
#endif
