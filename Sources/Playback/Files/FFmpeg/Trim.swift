#if FFmpeg
  import CFfmpeg

  /// Which of the decoded samples are heard. [control]
  struct Trim: Equatable {
    /// The first that is heard.
    var start: Int64 = 0
    /// The one behind the last; nil where only the end of the file tells.
    var end: Int64?
    /// Whether `end` may be held against the file.
    var isExact = false

    /// Samples by which spectral band replication comes later than the container says.
    static let bandReplicationDelay: Int64 = 962

    init(_ file: RegularFile, _ route: AudioRoute, _ stream: FrameStream) {
      let rate = stream.first.rate
      switch route {
      case .ffmpeg(.movie): movie(file, stream, rate)
      case .ffmpeg(.caf):
        guard let table = CafTable(of: file) else { break }
        start = table.start
        end = table.count.map { table.start + $0 }
        isExact = end != nil
      case .adts:
        guard let packets = stream.source as? ADTSPackets, let count = packets.count else { break }
        end = Int64(count) * packets.samples(rate)
        isExact = true
      case .ffmpeg:
        end = stream.demuxer?.length(rate: rate)
      case .sndfile: break
      }
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
        let count = scaled(gap.count, by: Int64(rate), over: Int64(clamping: track.unitsPerSecond))
      {
        (start, end) = (first, first + count)
      }
      isExact = end != nil
      guard stream.first.isHigh else { return }
      start += Trim.bandReplicationDelay
      end = end.map { $0 + Trim.bandReplicationDelay }
      // The last packet need not hold those samples too.
      let all = scaled(
        Int64(clamping: track.length), by: Int64(rate), over: Int64(clamping: track.unitsPerSecond))
      if let all, let last = end, all > start { end = min(last, all) }
    }
  }
#endif
