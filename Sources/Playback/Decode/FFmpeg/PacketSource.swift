#if FFmpeg
  import CFfmpeg

  /// Where the packets of one stream come from: FFmpeg's demuxers, or the frames of bare AAC. [one]
  protocol PacketSource: AnyObject {
    /// What the decoder is to be told of the stream.
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
