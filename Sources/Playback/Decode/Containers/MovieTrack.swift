import System

/// Length and edits of a sound track in an MP4 or QuickTime file (ISO 14496-12). [one]
///
/// FFmpeg is set to ignore the edits: it leaves the end untrimmed, and loses packets when it seeks to the beginning.
struct MovieTrack: Equatable {
  /// The track ID.
  var id: UInt64 = 0
  /// Whether it is a sound track.
  var isSound = false
  /// The track's timescale, units per second.
  var unitsPerSecond: UInt64 = 0
  /// Sum of its packets' durations, in its units; 0 if fragments hold them.
  var length: UInt64 = 0
  /// Start of the part that is played, in its units.
  var start: UInt64?
  /// Silence before that part, in the movie's units.
  var pause: UInt64 = 0
  /// Duration of the part that is played, in the movie's units; 0 if not stated.
  var heard: UInt64 = 0
  /// Packets of the table, each of which FFmpeg keeps in memory.
  var packets: UInt64 = 0

  /// The most tracks and packets of a file; ten hours of AAC have 1.6 million packets.
  static let mostTracks = 32
  static let mostPackets: UInt64 = 2_700_000

  /// The part that is played, in samples of the decoded stream.
  ///
  /// - Parameters:
  ///   - movie: the movie's timescale, units per second.
  ///   - rate: sample rate in Hz.
  /// - Returns: the first sample, negative if silence precedes it, and the one after the last; nil if it is played to
  ///   its end.
  func heard(movie: UInt64, rate: Int) -> (start: Int64, end: Int64?) {
    func samples(_ value: UInt64, _ units: UInt64) -> Int64? { MovieTrack.samples(value, units, rate: rate) }
    let first = start.flatMap { samples($0, unitsPerSecond) } ?? 0
    let begin = first - self.pause(movie: movie, rate: rate)
    let all = length > 0 ? samples(length, unitsPerSecond) : nil
    guard start != nil, heard > 0, let duration = samples(heard, movie) else { return (begin, all) }
    // The movie's units may be as long as 1 ms: a duration within rounding of the whole is not an edit.
    let tick = Int64(rate) / Int64(clamping: max(1, movie)) + 1
    if let all, duration >= all - first - tick { return (begin, all) }
    return (begin, first + duration)
  }

  /// Samples of silence before the first.
  func pause(movie: UInt64, rate: Int) -> Int64 { MovieTrack.samples(pause, movie, rate: rate) ?? 0 }

  /// A duration in samples, rounded to the nearest; nil if it exceeds `AudioFormat.mostSamples`.
  private static func samples(_ value: UInt64, _ units: UInt64, rate: Int) -> Int64? {
    guard units > 0, let value = Int64(exactly: value), let units = Int64(exactly: units) else { return nil }
    let product = value.multipliedReportingOverflow(by: Int64(rate))
    guard !product.overflow else { return nil }
    let whole = product.partialValue / units
    let isUp = product.partialValue % units >= (units + 1) / 2
    return whole < AudioFormat.mostSamples ? whole + (isUp ? 1 : 0) : nil
  }
}

/// The tracks of an MP4 or QuickTime file. [one]
struct MovieTracks {
  /// The movie's timescale, units per second.
  private(set) var unitsPerSecond: UInt64 = 0
  private(set) var tracks: [MovieTrack] = []
  private let file: RegularFile
  /// Limits the boxes that are read in total.
  private var left = 20_000
  /// Fragments (`moof`) so far: parts of the movie after the table, each with packets of its own.
  private var fragments = 0
  /// The track of the current fragment, and the default duration of its packets.
  private var run: (track: Int, usual: UInt64)?
  /// Default duration of packets in fragments, by track ID.
  private var usual: [UInt64: UInt64] = [:]
  /// The most fragments whose packets are added up; with more, the length is unknown.
  private static let mostFragments = 1000

  /// Reads the boxes; nil if there are more tracks or packets than allowed.
  init?(of file: RegularFile) {
    self.file = file
    reader(0..<file.size, depth: 0)
    if fragments > 0 { endFragments() }
    let packets = tracks.reduce(UInt64(0)) { $0.addingReportingOverflow($1.packets).partialValue }
    guard tracks.count <= MovieTrack.mostTracks, packets <= MovieTrack.mostPackets,
      tracks.allSatisfy({ $0.packets <= MovieTrack.mostPackets })
    else { return nil }
  }

  private mutating func reader(_ range: Range<Int64>, depth: Int) {
    var place = range.lowerBound
    while place + 8 <= range.upperBound, left > 0, tracks.count <= MovieTrack.mostTracks,
      fragments <= MovieTracks.mostFragments
    {
      left -= 1
      let head = file.bytes(at: place, count: 16)
      guard var size = head.big(0, 4) else { return }
      var header: Int64 = 8
      if size == 1 {
        guard let wide = head.big(8, 8) else { return }
        size = wide
        header = 16
      } else if size == 0 {
        size = UInt64(range.upperBound - place)
      }
      guard let size = Int64(exactly: size), size >= header else { return }
      let end = min(range.upperBound, place.addingReportingOverflow(size).overflow ? .max : place + size)
      read(head.letters(4), place + header..<max(place + header, end), depth)
      guard end > place else { return }
      place = end
    }
  }

  private mutating func read(_ name: String, _ box: Range<Int64>, _ depth: Int) {
    switch name {
    case "moov" where depth == 0, "mdia", "edts", "minf", "stbl", "mvex":
      if depth < 8 { reader(box, depth: depth + 1) }
    case "moof" where depth == 0:
      fragments += 1
      if fragments <= MovieTracks.mostFragments { reader(box, depth: depth + 1) }
    case "traf" where depth == 1:
      run = nil
      reader(box, depth: depth + 1)
    case "trex":
      let bytes = self.bytes(box, 24)
      if let id = bytes.big(4, 4), usual.count <= MovieTrack.mostTracks { usual[id] = bytes.big(12, 4) }
    case "tfhd": readFragment(self.bytes(box, 32))
    case "trun": if let run { readRun(box, run.track, run.usual) }
    case "trak":
      tracks.append(MovieTrack())
      if depth < 8 { reader(box, depth: depth + 1) }
    case "mvhd":
      let bytes = self.bytes(box, 32)
      unitsPerSecond = bytes.big(bytes.first == 1 ? 20 : 12, 4) ?? 0
    default: if !tracks.isEmpty { readTrack(name, box) }
    }
  }

  private mutating func readTrack(_ name: String, _ box: Range<Int64>) {
    let last = tracks.count - 1
    switch name {
    case "tkhd":
      let bytes = self.bytes(box, 32)
      tracks[last].id = bytes.big(bytes.first == 1 ? 20 : 12, 4) ?? 0
    case "mdhd":
      let bytes = self.bytes(box, 40)
      tracks[last].unitsPerSecond = bytes.big(bytes.first == 1 ? 20 : 12, 4) ?? 0
    case "hdlr": if self.bytes(box, 12).has("soun", at: 8) { tracks[last].isSound = true }
    case "elst": readEdits(self.bytes(box, 8 + 20 * 16))
    case "stts":
      let bytes = self.bytes(box, 8 + 8 * 65_536)
      let count = Int(min(bytes.big(4, 4) ?? 0, 65_536))
      for entry in 0..<count {
        guard let packets = bytes.big(8 + 8 * entry, 4), let each = bytes.big(12 + 8 * entry, 4) else {
          break
        }
        tracks[last].length = tracks[last].length.addingReportingOverflow(packets * each).partialValue
        // For linear PCM, each sample is a packet of the table, which costs no memory.
        if count > 1 || each > 1 { tracks[last].packets += packets }
      }
    case "stsz":
      let bytes = self.bytes(box, 12)
      if let packets = bytes.big(8, 4), bytes.big(4, 4) != 1,
        tracks[last].packets > 0 || tracks[last].length == 0
      {
        tracks[last].packets = max(tracks[last].packets, packets)
      }
    default: break
    }
  }

  // MARK: - Fragments (8.8)

  private mutating func readFragment(_ bytes: [UInt8]) {
    guard let flags = bytes.big(0, 4), let id = bytes.big(4, 4),
      let track = tracks.firstIndex(where: { $0.id == id })
    else { return }
    let place = 8 + (flags & 1 != 0 ? 8 : 0) + (flags & 2 != 0 ? 4 : 0)
    run = (track, flags & 8 != 0 ? bytes.big(place, 4) ?? 0 : usual[id] ?? 0)
  }

  /// Adds the packets of a fragment's run (`trun`).
  private mutating func readRun(_ box: Range<Int64>, _ track: Int, _ usual: UInt64) {
    let head = bytes(box, 8)
    guard let flags = head.big(0, 4), let count = head.big(4, 4), count < 1 << 20 else { return }
    tracks[track].packets += count
    guard flags & 0x100 != 0 else {
      tracks[track].length = tracks[track].length.addingReportingOverflow(count * usual).partialValue
      return
    }
    let place = 8 + (flags & 1 != 0 ? 4 : 0) + (flags & 4 != 0 ? 4 : 0)
    let width = 4 * [UInt64(0x100), 0x200, 0x400, 0x800].count { flags & $0 != 0 }
    let all = bytes(box, place + width * Int(count))
    for packet in 0..<Int(count) {
      guard let each = all.big(place + width * packet, 4) else { return }
      tracks[track].length = tracks[track].length.addingReportingOverflow(each).partialValue
    }
  }

  /// Ends a file with fragments: edits apply only to the packets of the table. If not all fragments were read, the
  /// length is unknown.
  private mutating func endFragments() {
    let isWhole = left > 0 && fragments <= MovieTracks.mostFragments
    for track in tracks.indices {
      tracks[track].heard = 0
      if !isWhole { tracks[track].length = 0 }
    }
  }

  /// Reads the edit list: empty edits before the first other edit are silence.
  private mutating func readEdits(_ bytes: [UInt8]) {
    let last = tracks.count - 1
    let width = bytes.first == 1 ? 8 : 4
    let count = min(Int(bytes.big(4, 4) ?? 0), 16)
    var heard: [(start: UInt64, duration: UInt64)] = []
    for entry in 0..<count {
      let place = 8 + entry * (2 * width + 4)
      guard let duration = bytes.big(place, width), let start = bytes.big(place + width, width) else { break }
      let isPause = start >> (8 * UInt64(width) - 1) != 0
      if !isPause {
        heard.append((start, duration))
      } else if heard.isEmpty {
        tracks[last].pause = tracks[last].pause.addingReportingOverflow(duration).partialValue
      }
    }
    guard let first = heard.first else { return }
    tracks[last].start = first.start
    // With several edits, the track is played from the first one to its end.
    tracks[last].heard = heard.count == 1 ? first.duration : 0
  }

  private func bytes(_ box: Range<Int64>, _ most: Int) -> [UInt8] {
    file.bytes(at: box.lowerBound, count: Int(min(Int64(most), box.upperBound - box.lowerBound)))
  }
}
