import System

#if FFmpeg
  import CFfmpeg

  /// The decoded frames of a file, each with the number of its first sample, counted from the first packet on. [one]
  final class FrameStream {
    /// What the first frame has shown, which containers may have wrong.
    struct First {
      var channels = 0
      var rate = 0
      /// FFmpeg's numbers of the channels.
      var names: [Int] = []
      /// Whether it is AAC with doubled rate (HE-AAC).
      var isHigh = false
    }

    /// A part of what is decoded, at the sample that was asked for.
    struct Piece {
      /// Its place in the frame.
      let offset: Int
      let count: Int
      /// Whether nothing was decoded there.
      let isSilence: Bool
    }

    private(set) var first = First()
    /// Why decoding has ended before the end.
    private(set) var failure: String?
    /// What follows that cannot be heard with what came before, where that was the end.
    private(set) var change: String?
    /// Frames in a row of other channels or another rate.
    private var strangers = 0
    private(set) var source: any PacketSource
    private var decoder: PacketDecoder
    private let file: RegularFile
    private let route: DecoderChoice
    let library: vg_ffmpeg
    private var packet: UnsafeMutablePointer<AVPacket>?

    /// The number of the frame's first sample, and how many of them there are; none before the first.
    private var frameStart: Int64 = 0
    private var frameCount = 0
    /// The number that the next frame's first sample will have.
    private var next: Int64 = 0
    /// Samples of a frame, to know what a broken one would have had.
    private(set) var usual = 1024
    private var failures = 0
    private var mustFindPlace = false
    private var isDrained = false
    private var mutes = false
    /// The sample that was sought, until its place is known.
    private var sought: Int64?
    /// Packets that the decoder was given.
    private var packets = 0

    /// Broken packets in a row after which a file is given up.
    private static let mostFailures = 500
    /// Frames of another form in a row after which the sound is another.
    private static let mostStrangers = 8

    /// The sample behind the last that was decoded.
    var reached: Int64 { next }
    var codec: String { source.codec }
    /// The frame that `piece` speaks of.
    var frame: UnsafePointer<AVFrame>? { decoder.current.map { UnsafePointer($0) } }
    /// The container, where FFmpeg has opened it.
    var demuxer: Demuxer? { source as? Demuxer }

    /// - Parameter counts: whether the length is wanted exactly, if that takes reading all of the file.
    init(_ file: RegularFile, _ route: DecoderChoice, _ library: vg_ffmpeg, counts: Bool = true)
      throws(AudioError)
    {
      self.file = file
      self.route = route
      self.library = library
      let source = try FrameStream.source(file, route, counts: counts)
      self.source = source
      decoder = try FrameStream.decoder(file, route, library, source)
      packet = library.av_packet_alloc()
      mutes = source.codec == "ilbc"
      var reason = "no samples"
      guard decode(onBreak: { reason = $0 }) else {
        throw AudioError(.notAudio, path: file.path, reason: failure ?? reason)
      }
      first.channels = decoder.channels
      first.rate = decoder.rate
      first.names = decoder.channelNumbers()
      // 4 and 28 are the profiles of spectral band replication, without and with parametric stereo.
      first.isHigh =
        source.codec == "aac"
        && ([4, 28].contains(decoder.profile) || FrameStream.statesHigh(source.parameters))
    }

    deinit { library.av_packet_free(&packet) }

    /// What there is at a sample; nil at the end.
    ///
    /// - Parameter onBreak: called with the reason where something cannot be decoded.
    func piece(at wanted: Int64, onBreak: (String) -> Void) -> Piece? {
      while true {
        let end = frameStart + Int64(frameCount)
        if frameCount > 0, wanted < frameStart {
          return Piece(offset: 0, count: Int(clamping: frameStart - wanted), isSilence: true)
        }
        if frameCount > 0, wanted < end {
          return Piece(offset: Int(wanted - frameStart), count: Int(end - wanted), isSilence: false)
        }
        guard failure == nil, change == nil, decode(onBreak: onBreak) else { return nil }
      }
    }

    /// Decodes the next frame; says whether there is one.
    private func decode(onBreak: (String) -> Void) -> Bool {
      // The decoder empties its frame before it looks for the next, also where there is none.
      frameCount = 0
      while true {
        switch decoder.receive() {
        case .frame:
          guard let isAccepted = accept() else { continue }
          if isAccepted { return true }
          // A broken frame may say anything once; of FLAC every frame has a checksum.
          strangers += 1
          if codec == "flac" || strangers >= FrameStream.mostStrangers {
            let rate = decoder.rate
            change =
              "it goes on with \(decoder.channels == 1 ? "1 channel" : "\(decoder.channels) channels") at \(rate) Hz, which is left out"
            return false
          }
          if lose("a frame of other channels or another rate", onBreak) { return false }
        case .end: return false
        case .broken(let error): if lose(library.words(error), onBreak) { return false }
        case .wantsPacket: if !feed(onBreak) { return false }
        }
      }
    }

    /// Takes the decoder's frame as the current one.
    private func accept() -> Bool? {
      let count = decoder.count
      // Where it belongs is not known yet, so that it cannot be heard.
      if count == 0 || mustFindPlace { return nil }
      if first.channels > 0 {
        guard decoder.channels == first.channels, decoder.rate == first.rate else { return false }
      }
      frameStart = next
      frameCount = count
      next += Int64(count)
      usual = count
      (failures, strangers) = (0, 0)
      // FFmpeg's decoder of iLBC gives noise in its first frame.
      if mutes, let frame = decoder.current { mute(frame) }
      mutes = false
      return true
    }

    private func mute(_ frame: UnsafeMutablePointer<AVFrame>) {
      let isPlanar = frame.pointee.format >= AV_SAMPLE_FMT_U8P.rawValue
      for plane in 0..<(isPlanar ? decoder.channels : 1) {
        guard let bytes = frame.pointee.extended_data[plane] else { continue }
        let width =
          frame.pointee.format == AV_SAMPLE_FMT_FLTP.rawValue
            || frame.pointee.format == AV_SAMPLE_FMT_FLT.rawValue ? 4 : 2
        bytes.update(repeating: 0, count: decoder.count * width * (isPlanar ? 1 : decoder.channels))
      }
    }

    /// Gives the decoder the next packet; says whether to go on.
    private func feed(_ onBreak: (String) -> Void) -> Bool {
      guard let packet, !isDrained else { return false }
      switch source.next(into: packet) {
      case .packet:
        defer { library.av_packet_unref(packet) }
        packets += 1
        if mustFindPlace, let start = source.start(of: packet, rate: first.rate) {
          // An index that leads beyond what was sought has lied: then only the whole way is right.
          if let sought, start > sought { return (try? restart()) != nil }
          next = start
          mustFindPlace = false
          sought = nil
        }
        let result = decoder.send(packet)
        if result < 0, result != vg_AVERROR_EAGAIN { return !lose(library.words(result), onBreak) }
        return true
      case .end:
        isDrained = true
        _ = decoder.send(nil)
        return true
      case .broken(let error):
        // A demuxer that stumbles may find its way again, but the place is lost with what it has left out.
        mustFindPlace = first.rate > 0
        failures += 1
        if failures >= 20 {
          failure = library.words(error)
          return false
        }
        onBreak(library.words(error))
        return true
      }
    }

    /// Counts a broken frame; says whether the file is to be given up.
    private func lose(_ reason: String, _ onBreak: (String) -> Void) -> Bool {
      failures += 1
      // Silence of its length keeps what follows in its place.
      next += Int64(usual)
      if failures >= FrameStream.mostFailures {
        failure = reason
        return true
      }
      onBreak(reason)
      return false
    }

    /// How many samples the first packets decode to. For a stream that has just been opened, and is then used up.
    func samples(ofPackets count: Int) -> Int64 {
      while packets < count || (packets == count && !isDrained) {
        guard decode(onBreak: { _ in }) else { break }
        if packets > count { return frameStart }
      }
      return next
    }

    /// The sample behind the last that there is, found by decoding from one near it. For a stream that has just been
    /// opened, and is then used up.
    func end(from near: Int64) -> Int64 {
      guard (try? seek(to: max(0, near))) != nil else { return near }
      while decode(onBreak: { _ in }) {}
      return next
    }

    // MARK: - Going elsewhere

    /// Begins again with a fresh container and decoder.
    func restart() throws(AudioError) {
      do {
        if let frames = source as? FramePackets {
          frames.rewind()
        } else {
          let fresh = try FrameStream.source(file, route)
          if let pages = fresh as? OggPackets { pages.base = (source as? OggPackets)?.base ?? 0 }
          source = fresh
        }
        try freshDecoder()
      } catch { throw AudioError(.rewind, path: file.path, reason: error.reason) }
      next = 0
    }

    private func freshDecoder() throws(AudioError) {
      decoder = try FrameStream.decoder(file, route, library, source)
      frameCount = 0
      failures = 0
      (failure, change, strangers) = (nil, nil, 0)
      isDrained = false
      mustFindPlace = false
      sought = nil
      mutes = source.codec == "ilbc"
    }

    /// Makes ready for `piece(at: sample)`.
    func seek(to sample: Int64) throws(AudioError) {
      let rule = SeekRule(codec: codec, isHigh: first.isHigh, route: route)
      // On from here, where that is no further than the way through an index.
      let here = frameCount > 0 ? frameStart : next
      let isAhead = sample >= here && failure == nil
      let way = isAhead ? sample - here : sample
      if isAhead, way <= rule.preroll * 2 { return }
      let channels = Int64(max(1, first.channels))
      if sample > rule.preroll * 2, let far = rule.far(channels: channels), way > far {
        do {
          if source.seek(to: sample - rule.preroll, rate: first.rate) {
            try freshDecoder()
            mustFindPlace = true
            sought = sample
            return
          }
        } catch { throw AudioError(.rewind, path: file.path, reason: error.reason) }
      }
      if !isAhead { try restart() }
    }
  }
#endif
