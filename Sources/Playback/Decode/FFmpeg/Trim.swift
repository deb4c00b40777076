import System

#if FFmpeg
  import CFfmpeg

  /// Which of the decoded samples are heard. [any]
  struct Trim: Equatable {
    /// The first that is heard.
    var start: Int64 = 0
    /// The one behind the last; nil where only the end of the file tells.
    var end: Int64?
    /// Whether `end` may be held against the file.
    var isExact = false
    /// Whether the file ends before its end.
    var isCut = false

    /// Samples by which spectral band replication comes later than the container says.
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
        // The last packet of ALAC knows better how long it is.
        if table.isOfWholePackets, stream.codec == "alac", let whole = end,
          let trial = try? FrameStream(file, route, stream.library)
        {
          end = min(whole, trial.end(from: whole - 1))
        }
      case .adts:
        guard let packets = stream.source as? ADTSPackets, let count = packets.count else { break }
        end = Int64(count) * packets.samples(rate)
        isExact = true
      case .ffmpeg:
        end = stream.demuxer?.length(rate: rate)
      case .ogg: pages(file, route, stream)
      case .sndfile: break
      }
    }

    /// The pages say which sample they lead up to. The first one does so too: what is decoded before its number is the
    /// encoder's start, and what its number has too much is what was cut off a longer file.
    private mutating func pages(_ file: RegularFile, _ route: DecoderChoice, _ stream: FrameStream) {
      guard let pages = stream.source as? OggPackets, let last = pages.last else { return }
      if let first = pages.first, first.granule < last, pages.codec != "flac",
        let trial = try? FrameStream(file, route, stream.library)
      {
        pages.base = first.granule - trial.samples(ofPackets: first.packets)
        start = max(0, -pages.base)
      }
      // Opus counts what the encoder has put in front (RFC 7845, 4.2).
      start += pages.skipped
      end = last - pages.base
      isExact = true
      isCut = !pages.isWhole
    }

    private mutating func movie(_ file: RegularFile, _ stream: FrameStream, _ rate: Int) {
      guard let demuxer = stream.demuxer, let tracks = MovieTracks(of: file),
        let track = tracks.tracks.first(where: {
          $0.isSound && Int64($0.id) == Int64(demuxer.stream?.pointee.id ?? -1)
        })
          ?? tracks.tracks.first(where: \.isSound)
      else { return }
      (start, end) = track.heard(movie: tracks.unitsPerSecond, rate: rate)
      if let gap = demuxer.rawTag("iTunSMPB").flatMap({ ITunesGap($0) }), track.unitsPerSecond > 0,
        let first = scaled(gap.start, by: Int64(rate), over: Int64(clamping: track.unitsPerSecond)),
        let count = scaled(gap.count, by: Int64(rate), over: Int64(clamping: track.unitsPerSecond)),
        count < AudioFile.mostFrames
      {
        (start, end) = (first, first + count)
      }
      isExact = end != nil
      guard stream.first.isHigh else { return }
      start += Trim.bandReplicationDelay
      end = end.map { $0 + Trim.bandReplicationDelay }
      // The last packet need not hold those samples too.
      let all = Int64(clamping: track.packets).multipliedReportingOverflow(by: Int64(stream.usual))
      if !all.overflow, all.partialValue > start, let last = end { end = min(last, all.partialValue) }
    }
  }
#endif

/// The tag `iTunSMPB`: how many samples of an AAC file are to be heard. [any]
///
/// Words of hexadecimal digits: nothing, samples before the first, samples behind the last, samples that are heard.
struct ITunesGap: Equatable {
  /// Samples before the first that is heard, in the units of the track.
  let start: Int64
  /// Samples that are heard, in the units of the track.
  let count: Int64

  /// Reads the tag; nil where it makes no sense.
  init?(_ text: String) {
    let words = text.split(separator: " ").prefix(4)
    guard words.count == 4, let start = Int64(words[words.startIndex + 1], radix: 16),
      let count = Int64(words[words.startIndex + 3], radix: 16),
      (0..<480_000).contains(start), (1..<AudioFile.mostFrames).contains(count)
    else { return nil }
    self.start = start
    self.count = count
  }
}
