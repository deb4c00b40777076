import System

#if FFmpeg
  import CFfmpeg

  /// The range of decoded samples that is played. [any]
  struct Trim: Equatable {
    /// The first sample that is played.
    var start: Int64 = 0
    /// The sample after the last one; nil if it is known only at the end of the file.
    var end: Int64?
    /// Whether `end` is exact, so that fewer samples are a fault.
    var isExact = false
    /// Whether the last page of the stream is missing.
    var isCut = false

    /// Decoder delay of spectral band replication, in samples, which containers do not include.
    static let bandReplicationDelay: Int64 = 962

    init(_ file: RegularFile, _ route: DecoderChoice, _ stream: FrameStream) {
      let rate = stream.first.rate
      switch route {
      case .ffmpeg(.movie): movie(file, stream, rate)
      case .ffmpeg(.caf):
        guard let table = CafTable(of: file) else { break }
        start = table.start
        end = table.count.map { table.start + $0 }
        isExact = end != nil
        // The last packet of ALAC states its own length.
        if table.isOfWholePackets, stream.codec == "alac", let whole = end,
          let trial = try? FrameStream(file, route, stream.library)
        {
          end = min(whole, trial.end(from: whole - 1))
        }
      case .ffmpeg(.flac):
        // If the rate changes, the sound ends there, at an unknown sample.
        guard let head = FlacStream(of: file), let last = head.end(of: file) ?? head.stated, last.rate == rate
        else { break }
        end = last.frames
        isExact = true
      case .frames: if let packets = stream.source as? FramePackets { frames(packets, rate) }
      case .ffmpeg(.dsf):
        // The header counts 1-bit samples, without the padding of the last block; FFmpeg makes one sample of eight.
        let count = file.bytes(at: 64, count: 8).little(0, 8).flatMap { Int64(exactly: $0 / 8) }
        end = count.flatMap { $0 < AudioFormat.mostSamples ? $0 : nil }
        isExact = end != nil
      case .ffmpeg(.w64):
        end = W64Head(of: file)?.frames
        isExact = end != nil
      case .ffmpeg(let container):
        end = stream.demuxer?.length(rate: rate)
        isExact = end != nil && container.isExact(stream.codec)
      case .ogg: pages(file, route, stream)
      case .sndfile: break
      }
    }

    /// Sets the range by the number of frames and by the encoder's padding. Called again once the frames have been
    /// counted.
    mutating func frames(_ packets: FramePackets, _ rate: Int) {
      let gap = packets.codec == "mp3" ? packets.head?.gap : nil
      start = gap.map { Int64($0.front + MPEGHead.decoderDelay) } ?? 0
      guard let count = packets.count ?? packets.stated else { return }
      let all = Int64(count) * packets.samples(rate)
      isExact = packets.count != nil
      // A truncated file has sound at its end, not padding.
      let isShort = packets.missing > 0 || packets.isCut
      let behind = isShort ? 0 : gap.map { Int64(max(0, $0.behind - MPEGHead.decoderDelay)) } ?? 0
      end = all - behind
      if start >= all - behind { (start, end) = (0, all) }
    }

    /// Sets the range by granule positions. More decoded samples before the first page's end than its position are the
    /// encoder's priming; fewer mean that the file was cut out of a longer one.
    private mutating func pages(_ file: RegularFile, _ route: DecoderChoice, _ stream: FrameStream) {
      guard let pages = stream.source as? OggPackets, let last = pages.last else { return }
      if let first = pages.first, first.granule < last, pages.codec != "flac",
        let trial = try? FrameStream(file, route, stream.library)
      {
        pages.base = first.granule - trial.samples(ofPackets: first.packets)
        start = max(0, -pages.base)
      }
      // Granule positions of Opus include the pre-skip (RFC 7845, 4.2).
      start += pages.skipped
      end = last - pages.base
      isExact = true
      isCut = !pages.isWhole
    }

    private mutating func movie(_ file: RegularFile, _ stream: FrameStream, _ rate: Int) {
      guard let demuxer = stream.demuxer, let tracks = MovieTracks(of: file),
        let track = tracks.tracks.first(where: {
          $0.isSound && Int64($0.id) == demuxer.stream.map { Int64(vg_stream_id($0)) } ?? -1
        })
          ?? tracks.tracks.first(where: \.isSound)
      else { return }
      (start, end) = track.heard(movie: tracks.unitsPerSecond, rate: rate)
      if let gap = demuxer.rawTag("iTunSMPB").flatMap({ ITunesGap($0) }), track.unitsPerSecond > 0,
        let first = scaled(gap.start, by: Int64(rate), over: Int64(clamping: track.unitsPerSecond)),
        let count = scaled(gap.count, by: Int64(rate), over: Int64(clamping: track.unitsPerSecond)),
        count < AudioFormat.mostSamples
      {
        // The tag counts from the first packet; the silence comes before it.
        (start, end) = (first - track.pause(movie: tracks.unitsPerSecond, rate: rate), first + count)
      }
      isExact = end != nil
      guard stream.first.isHigh else { return }
      start += Trim.bandReplicationDelay
      end = end.map { $0 + Trim.bandReplicationDelay }
      // The last packet may end before the delayed end.
      let all = Int64(clamping: track.packets).multipliedReportingOverflow(by: Int64(stream.usual))
      if !all.overflow, all.partialValue > start, let last = end { end = min(last, all.partialValue) }
    }
  }
#endif

/// The tag `iTunSMPB`: the samples of an AAC file that are played. [any]
///
/// Hexadecimal words: unused, samples before the first one played, samples after the last one, samples played.
struct ITunesGap: Equatable {
  /// Samples before the first one that is played, in units of the track.
  let start: Int64
  /// Samples that are played, in units of the track.
  let count: Int64

  /// Reads the tag; nil if its values are out of range.
  init?(_ text: String) {
    let words = text.split(separator: " ").prefix(4)
    guard words.count == 4, let start = Int64(words[words.startIndex + 1], radix: 16),
      let count = Int64(words[words.startIndex + 3], radix: 16),
      (0..<480_000).contains(start), (1..<AudioFormat.mostSamples).contains(count)
    else { return nil }
    self.start = start
    self.count = count
  }
}
