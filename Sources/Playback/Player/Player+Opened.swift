import System

extension Player {
  /// Whether a command changes to another file, which has to be opened first. A player that follows the host's
  /// transport goes where that goes, without opening first.
  public func leadsToFile(_ command: PlayerCommand) -> Bool {
    switch command {
    case .load: true
    case .next, .previous, .track: state.withLock { $0.decidingTransport == nil }
    default: false
    }
  }

  /// Opens the file that a command changes to; of several, the first that gives sound. Waits for disks.
  ///
  /// - Parameter deadline: after it no further file is tried.
  /// - Throws: `OpenRefusal` if none can be played; the player then goes on as before.
  package func open(
    _ command: PlayerCommand, until deadline: Deadline = .never
  ) throws(OpenRefusal) -> OpenedCommand {
    if case .load(let paths, let folders, _) = command {
      let (tracks, leftOut) = listedTracks(of: paths, within: folders)
      guard !tracks.isEmpty else {
        throw .list(leftOut.first ?? ListError(.empty, path: paths.first ?? ""))
      }
      let list = Playlist(tracks.map(\.path), state.withLock { $0.playlist.settings })
      return try open(
        list.order.map { (command, list.path($0)) }, files: list.files, leftOut: leftOut, until: deadline)
    }
    let ways = leadsToFile(command) ? state.withLock { $0.ways(of: command) } : []
    return ways.isEmpty ? OpenedCommand(command) : try open(ways, until: deadline)
  }

  private func open(
    _ ways: [(command: PlayerCommand, path: String)], files: [String]? = nil, leftOut: [ListError] = [],
    until deadline: Deadline
  ) throws(OpenRefusal) -> OpenedCommand {
    var skipped: [AudioError] = []
    for (command, path) in ways {
      do throws(AudioError) {
        guard skipped.isEmpty || !deadline.isOver else { break }
        return OpenedCommand(
          command, files: files, leftOut: leftOut, skipped: skipped, try sounding(path))
      } catch {
        skipped.append(error)
      }
    }
    throw .file(skipped.first ?? AudioError(.missing, path: ""), of: ways.count)
  }

  /// Opens a file, checks that it gives sound at the host's rate, and rewinds it.
  private func sounding(_ path: String) throws(AudioError) -> sending any AudioReader {
    // Not shared: each call of an opener makes a new reader.
    nonisolated(unsafe) let reader = try opener(path)
    if reader.format.rate != hostRate {
      _ = try Resampler(reader, from: reader.format.rate, to: hostRate, path: path)
    }
    let room = PlanarBuffer(channels: reader.channels, count: 64)
    guard reader.read(room.count, into: room.samples) > 0 else {
      throw reader.fault ?? AudioError(.empty, path: path, reason: "0 samples")
    }
    try reader.rewind()
    return reader
  }
}

extension PlayerState {
  /// The files to which a command may change, each with the command that goes to it, in the order in which they are
  /// tried; empty if it changes to no file.
  mutating func ways(of command: PlayerCommand) -> [(command: PlayerCommand, path: String)] {
    let place = here.track
    let isRing = playlist.settings.repeatMode == .all
    guard let direct = resolved(command).first else { return [] }
    var tracks: [Int] = []
    switch direct {
    case .track(let track) where command == .next: tracks = playlist.tracks(from: track, by: 1, isRing)
    case .track(let track) where command == .previous && track != place:
      tracks = playlist.tracks(from: track, by: -1, isRing)
      // Before the first track comes the beginning of the one that is heard.
      if !isRing { tracks.append(place) }
    case .track(let track): if playlist.files.indices.contains(track) { tracks = [track] }
    case .next where isRing: tracks = playlist.tracks(from: playlist.first, by: 1, isRing)
    case .previous:
      let last = isRing ? playlist.order.last ?? place : place
      tracks = playlist.tracks(from: last, by: -1, isRing)
    default: break
    }
    return tracks.enumerated().map { (number, track) in
      (number == 0 ? direct : .track(track), playlist.path(track))
    }
  }

  /// Carries out a command whose file is open.
  mutating func perform(_ opened: OpenedCommand) {
    perform(opened.command)
    if case .load(let files, _, _) = opened.command, let found = opened.files {
      gathered(files, found, leftOut: opened.leftOut)
    }
    skip(opened.skipped)
    if opened.isOpen { self.opened = opened }
  }

  /// Replaces folders and playlists in the list by the files that they lead to.
  mutating func gathered(_ named: [String], _ found: [String], leftOut: [ListError]) {
    guard mustGather, playlist.files == named else { return }
    mustGather = false
    let before = PlaylistPosition(track: playlist.first)
    if found.isEmpty || found == named { playlist.arrange(first: nil) } else { playlist.load(found) }
    if wanted?.start == .at(before) { wanted?.start = .at(PlaylistPosition(track: playlist.first)) }
    for fault in leftOut { log.report(.leftOut(fault)) }
    self.leftOut = leftOut.first
  }
}

extension Playlist {
  /// The tracks from one on, each once, in playing order or against it; a ring (`isRing`) continues beyond the end of
  /// the list.
  fileprivate func tracks(from track: Int, by step: Int, _ isRing: Bool) -> [Int] {
    guard let first = order.firstIndex(of: track) else { return [] }
    let ahead = step > 0 ? Array(order[first...]) : order[...first].reversed()
    guard isRing else { return ahead }
    return ahead + (step > 0 ? Array(order[..<first]) : order[(first + 1)...].reversed())
  }
}
