/// Lets the channels of a file be those of a player: one to all, else the first ones; or as it is told.
///
/// [one]
struct ChannelFit {
  /// For each channel that leaves the file's channel; -1: silence.
  private let sources: [Int]
  private let isIdentity: Bool
  private let room: PlanarBuffer

  /// Samples per channel that are read at a time.
  static let block = 4096

  init(file: Int, channels: Int, assignments: [Int?]?) {
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

  /// Reads samples of a file into the player's channels.
  func read(_ reader: TrackReader, _ count: Int, into destination: PlanarSamples) -> Int {
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
