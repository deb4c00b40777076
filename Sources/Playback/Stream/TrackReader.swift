/// Reads one file of the list, with no gap between two plays (passes through it). [one]
///
/// After a play that ended early, the file is opened again for the next one. A whole play of at most
/// `LoopCache.longest` samples is repeated from memory, whatever happens to its file.
final class TrackReader {
  let path: String
  /// The format of the file when it was opened.
  let format: AudioFormat
  let tags: AudioTags
  /// Samples, over all channels, that were not finite and became 0.
  var nonFinite: Int { nonFiniteBefore + reader.nonFinite }
  /// Why the current play ended early.
  var fault: AudioError? { isFromMemory ? nil : reader.fault }
  /// Places since opening where decoding failed and went on.
  var breaks: DecodeBreaks { reader.breaks }
  /// Whether plays are repeated from memory.
  private(set) var isFromMemory = false
  /// The sample that is read next.
  private(set) var sample: Int64 = 0

  private var reader: any AudioReader
  private let short: LoopCache
  private var isWhole = true
  private var nonFiniteBefore: Int

  init(_ reader: any AudioReader) {
    self.reader = reader
    // Samples that were read only to check the file do not count.
    nonFiniteBefore = -reader.nonFinite
    path = reader.path
    format = reader.format
    tags = reader.tags
    short = LoopCache(channels: reader.format.channels)
  }

  /// Seeks to a sample of the file.
  func seek(to sample: Int64) throws(AudioError) {
    if sample == self.sample && !isFromMemory { return }
    if isFromMemory {
      guard sample == 0 else { return try goTo(sample) }
      short.rewind()
      self.sample = 0
      return
    }
    try goTo(sample)
  }

  private func goTo(_ sample: Int64) throws(AudioError) {
    try reader.seek(to: sample)
    self.sample = reader.position
    isWhole = self.sample == 0
    isFromMemory = false
  }

  /// Reads the next samples, in the file's own channels.
  func read(_ count: Int, into destination: PlanarSamples) -> Int {
    if isFromMemory {
      let given = short.read(count, into: destination)
      sample += Int64(given)
      return given
    }
    let given = reader.read(count, into: destination)
    if isWhole { short.note(destination, count: given, at: sample) }
    sample += Int64(given)
    return given
  }

  /// Begins another play at the first sample.
  func again() throws(AudioError) {
    if !isFromMemory { isFromMemory = isWhole && sample <= Int64(LoopCache.longest) && reader.fault == nil }
    sample = 0
    if isFromMemory { return short.rewind() }
    isWhole = true
    if reader.fault == nil, (try? reader.rewind()) != nil { return }
    let fresh = try reader.reopened()
    guard fresh.format.channels == format.channels, fresh.format.rate == format.rate else {
      throw AudioError(
        .changed, path: path,
        reason: "\(fresh.format.channels) channels at \(fresh.format.rate) Hz, "
          + "\(format.channels) at \(format.rate) Hz before")
    }
    nonFiniteBefore += reader.nonFinite
    reader = fresh
  }
}

/// Maps the channels of a file to those of a player: a mono file to all, otherwise the first ones, or by assignment.
/// [one]
struct ChannelMap {
  /// For each of the player's channels the file's channel; -1: silence.
  private let sources: [Int]
  private let isIdentity: Bool
  private let room: PlanarBuffer
  /// A factor for all samples.
  private let gain: Float

  /// Samples per channel that are read at a time.
  static let block = 4096

  init(file: Int, channels: Int, assignments: [Int?]?, gain: Float = 1) {
    self.gain = gain
    sources = (0..<channels).map { channel in
      if let assignments {
        let wanted = channel < assignments.count ? assignments[channel] : nil
        return wanted.map { (0..<file).contains($0) ? $0 : -1 } ?? -1
      }
      return file == 1 ? 0 : channel < file ? channel : -1
    }
    isIdentity = sources == Array(0..<file)
    room = PlanarBuffer(channels: file, count: isIdentity ? 1 : Self.block)
  }

  /// Reads samples of a file into the player's channels, with the gain.
  func read(_ reader: TrackReader, _ count: Int, into destination: PlanarSamples) -> Int {
    let given = readPlain(reader, count, into: destination)
    if gain != 1 {
      for channel in 0..<destination.channels {
        for index in 0..<given { destination[channel][index] *= gain }
      }
    }
    return given
  }

  private func readPlain(_ reader: TrackReader, _ count: Int, into destination: PlanarSamples) -> Int {
    if isIdentity { return reader.read(count, into: destination) }
    var done = 0
    while done < count {
      let wanted = min(count - done, Self.block)
      let given = reader.read(wanted, into: room.samples)
      for (channel, source) in sources.enumerated() {
        if source >= 0 {
          (destination[channel] + done).update(from: room.samples[source], count: given)
        } else {
          (destination[channel] + done).update(repeating: 0, count: given)
        }
      }
      done += given
      if given < wanted { break }
    }
    return done
  }
}
