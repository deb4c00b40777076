import System

#if FFmpeg
  import CFfmpeg

  /// Makes the packet source and the decoder of a file. [one]
  extension FrameStream {
    /// Whether the AAC configuration states that SBR doubles the rate (ISO 14496-3, 1.6.2.1).
    static func statesHigh(_ parameters: UnsafePointer<AVCodecParameters>?) -> Bool {
      guard let parameters, let extra = parameters.pointee.extradata else { return false }
      let bytes = Array(
        UnsafeBufferPointer(start: extra, count: Int(min(64, parameters.pointee.extradata_size))))
      guard let first = bytes.first else { return false }
      // The object type is SBR (5) or PS (29), or the extension with sync word 0x2B7 follows a plain configuration of
      // two bytes.
      return [5, 29].contains(first >> 3)
        || bytes.count >= 5 && bytes.big(2, 2) == 0x56E5 && bytes[4] & 0x80 != 0
    }

    /// - Parameter counts: whether the exact length is needed, even if this takes reading the whole file.
    static func source(_ file: RegularFile, _ route: DecoderChoice, counts: Bool = true) throws(AudioError)
      -> any PacketSource
    {
      switch route {
      case .ogg: return try OggPackets(file)
      case .frames(let coding, let start): return try FramePackets(file, coding, from: start, counts: counts)
      case .ffmpeg(let container):
        let demuxer = try Demuxer(file, as: container)
        guard demuxer.stream != nil else {
          let reason = demuxer.codec.isEmpty ? "no sound in it" : "its coding \(demuxer.codec) is not decoded"
          throw AudioError(.notAudio, path: file.path, reason: reason)
        }
        return demuxer
      case .sndfile: throw AudioError(.notAudio, path: file.path, reason: "no container of FFmpeg's")
      }
    }

    static func decoder(
      _ file: RegularFile, _ route: DecoderChoice, _ library: vg_ffmpeg, _ source: any PacketSource
    ) throws(AudioError) -> PacketDecoder {
      let channels = source.parameters.map { Int(vg_parameters_channels($0)) } ?? 0
      if channels > AudioFormat.channelRange.upperBound {
        throw AudioError(.channels, path: file.path, reason: "\(channels) channels")
      }
      return try PacketDecoder(
        library, codec: source.codec, parameters: source.parameters,
        base: (source as? Demuxer)?.stream.map { vg_stream_time_base($0) }, trimsItself: route.trimsItself,
        path: file.path
      )
    }
  }
#endif
