import System

#if FFmpeg
  import CFfmpeg

  /// The decoded frames of a file, each with the number of its first sample, counted from the first packet on. [one]
  final class FrameStream {
    /// Format of the first decoded frame; the container's may be wrong.
    struct First {
      var channels = 0
      var rate = 0
      /// FFmpeg's numbers of the channels (AVChannel).
      var names: [Int] = []
      /// Whether it is HE-AAC, AAC whose rate SBR doubles.
      var isHigh = false
    }

    /// Decoded samples from the requested sample on.
    struct Piece {
      /// The requested sample's place in the frame.
      let offset: Int
      let count: Int
      /// Whether nothing was decoded there, so it is silence.
      let isSilence: Bool
    }

    private(set) var first = First()
    /// Why decoding ended early.
    private(set) var failure: String?
    /// Describes a change of format that has ended the sound.
    private(set) var change: String?
    /// Consecutive frames with other channels or another rate.
    private var otherFormats = 0
    private(set) var source: any PacketSource
    private var decoder: PacketDecoder
    private let file: RegularFile
    private let route: DecoderChoice
    let library: vg_ffmpeg
    private var packet: UnsafeMutablePointer<AVPacket>?

    /// The number of the current frame's first sample, and its samples per channel; 0 before the first frame.
    private var frameStart: Int64 = 0
    private var frameCount = 0
    /// The number of the next frame's first sample.
    private var next: Int64 = 0
    /// Samples per channel of the last frame: the assumed length of a broken one.
    private(set) var usual = 1024
    private var failures = 0
    private var mustFindPlace = false
    private var isDrained = false
    private var mutes = false
    /// The sample that `seek` was asked for, until its place is known.
    private var sought: Int64?
    /// Packets that the decoder has been given.
    private var packets = 0

    /// Consecutive broken packets after which reading ends.
    private static let mostFailures = 500
    /// Consecutive frames of another format after which the sound ends.
    private static let mostStrangers = 8

    /// The sample after the last one that was decoded.
    var reached: Int64 { next }
    var codec: String { source.codec }
    /// The frame that the last `Piece` is part of.
    var frame: UnsafePointer<AVFrame>? { decoder.current.map { UnsafePointer($0) } }
    /// The container, if FFmpeg has opened it.
    var demuxer: Demuxer? { source as? Demuxer }

    /// - Parameter counts: whether the exact length is needed, even if this takes reading the whole file.
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
      // FFmpeg's AAC profiles 4 (SBR) and 28 (SBR and parametric stereo).
      first.isHigh =
        source.codec == "aac"
        && ([4, 28].contains(decoder.profile) || FrameStream.statesHigh(source.parameters))
    }

    deinit { library.av_packet_free(&packet) }

    /// The decoded samples from a sample on; nil at the end.
    ///
    /// - Parameter onBreak: called with the reason if something cannot be decoded.
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

    /// Decodes the next frame. Returns whether there is one.
    private func decode(onBreak: (String) -> Void) -> Bool {
      // The decoder clears its frame at once, even if no other follows.
      frameCount = 0
      while true {
        switch decoder.receive() {
        case .frame:
          guard let isAccepted = accept() else { continue }
          if isAccepted { return true }
          // A single broken frame may have any format; in FLAC every frame has a checksum.
          otherFormats += 1
          if codec == "flac" || otherFormats >= FrameStream.mostStrangers {
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

    /// Makes the decoder's frame the current one. Nil: it is dropped; false: its format differs.
    private func accept() -> Bool? {
      let count = decoder.count
      // A frame whose place is not known yet cannot be played.
      if count == 0 || mustFindPlace { return nil }
      if first.channels > 0 {
        guard decoder.channels == first.channels, decoder.rate == first.rate else { return false }
      }
      frameStart = next
      frameCount = count
      next += Int64(count)
      usual = count
      (failures, otherFormats) = (0, 0)
      // FFmpeg's iLBC decoder returns noise in its first frame.
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

    /// Sends the next packet to the decoder. Returns whether to go on.
    private func feed(_ onBreak: (String) -> Void) -> Bool {
      guard let packet, !isDrained else { return false }
      switch source.next(into: packet) {
      case .packet:
        defer { library.av_packet_unref(packet) }
        packets += 1
        if mustFindPlace, let start = source.start(of: packet, rate: first.rate) {
          // An index that leads beyond the requested sample is wrong: only decoding from the start is exact.
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
        // A demuxer may recover after an error, but has skipped an unknown number of packets, so the place is unknown.
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

    /// Counts a broken frame. Returns whether reading is to end.
    private func lose(_ reason: String, _ onBreak: (String) -> Void) -> Bool {
      failures += 1
      // Silence of the usual length takes its place, so that what follows stays in its place.
      next += Int64(usual)
      if failures >= FrameStream.mostFailures {
        failure = reason
        return true
      }
      onBreak(reason)
      return false
    }

    /// Samples that the first `count` packets decode to. Only for a freshly opened stream, which is then used up.
    func samples(ofPackets count: Int) -> Int64 {
      while packets < count || (packets == count && !isDrained) {
        guard decode(onBreak: { _ in }) else { break }
        if packets > count { return frameStart }
      }
      return next
    }

    /// The sample after the last one of the stream, found by decoding from a sample near the end. Only for a freshly
    /// opened stream, which is then used up.
    func end(from near: Int64) -> Int64 {
      guard (try? seek(to: max(0, near))) != nil else { return near }
      while decode(onBreak: { _ in }) {}
      return next
    }

    // MARK: - Going elsewhere

    /// Starts again with a fresh container and decoder.
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
      (failure, change, otherFormats) = (nil, nil, 0)
      isDrained = false
      mustFindPlace = false
      sought = nil
      mutes = source.codec == "ilbc"
    }

    /// Seeks so that `piece(at: sample)` returns what decoding from the start would.
    func seek(to sample: Int64) throws(AudioError) {
      let rule = SeekRule(codec: codec, isHigh: first.isHigh, route: route)
      // Decodes on from the current place if that is no farther than the preroll behind an index.
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
