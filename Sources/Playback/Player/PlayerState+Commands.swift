import Realtime

extension PlayerState {
  /// Carries out a command.
  mutating func perform(_ command: PlayerCommand) {
    catchUp()
    if let follower = decidingTransport, !ask(follower, command) { return }
    switch command {
    case .play: play(at: nil)
    case .playAt(let seconds): play(at: sample(seconds))
    case .pause: pause()
    case .toggle: if isPlaying { pause() } else { play(at: nil) }
    case .stop: stop(at: here)
    case .rewind: stop(at: PlaylistPosition(track: here.track))
    case .seek(let seconds): seek(seconds)
    case .skip(let seconds): seek(self.seconds(here) + seconds)
    case .volume(let volume, let fade, let isLinear):
      setVolume(volume, fade: fade, isLinear: isLinear)
    case .pan(let pan, let fade): setPan(pan, fade: fade)
    case .next: step(1)
    case .previous: previous()
    case .track(let track):
      if playlist.files.indices.contains(track) {
        jump(to: PlaylistPosition(track: track, plays: here.plays))
      }
    case .load(let files, let folders, let plays):
      load(files, within: folders)
      // The host's transport decides itself whether it rolls.
      if plays, decidingTransport == nil { play() }
    case .rate, .pitch, .loop, .section, .assign, .shuffle, .again, .replayGain: change(command)
    }
  }

  /// The commands that have the same effect in the current state but do not depend on it.
  mutating func resolved(_ command: PlayerCommand) -> [PlayerCommand] {
    catchUp()
    if decidingTransport != nil { return [command] }
    switch command {
    case .toggle: return isPlaying ? [.pause] : resolved(.play)
    case .load(let files, let folders, plays: true): return [.load(files, within: folders), .play]
    case .play:
      // A stopped player resumes at its place, which may be anywhere in a track.
      if let resting, !isOver { return [.seek(seconds(resting)), .play] }
      return [.play]
    case .skip(let seconds): return [.seek(max(0, self.seconds(here) + seconds))]
    case .next: return playlist.track(1, after: here.track).map { [.track($0)] } ?? [.next]
    case .previous:
      let place = here
      let isFar = seconds(place) - (playlist.settings.section?.lowerBound ?? 0) > 3
      if isFar { return [.track(place.track)] }
      return playlist.track(-1, after: place.track).map { [.track($0)] } ?? [.previous]
    default: return [command]
    }
  }

  // MARK: - Transport

  /// The host's transport, where it decides the result of a command. A player that leads it asks a server as soon as
  /// there is one: the first cycle would undo what the player did by itself before.
  var decidingTransport: TransportFollower? {
    guard let follower, follower.isThere || leads && follower.canAsk else { return nil }
    return follower
  }

  /// Passes a command to the host's transport, if that decides.
  ///
  /// - Returns: whether the player itself carries it out as well.
  private mutating func ask(_ follower: TransportFollower, _ command: PlayerCommand) -> Bool {
    func lead(_ request: HostTransport.Request) { if leads { follower.ask(request) } }
    func goTo(_ place: PlaylistPosition) { if leads, follower.canAsk { self.lead(to: place) } }
    let place = here
    switch command {
    case .play, .playAt: lead(.start)
    case .pause: lead(.stop)
    case .stop:
      lead(.stop)
      isStopped = leads
    case .toggle: lead(follower.rolls ? .stop : .start)
    case .rewind:
      lead(.stop)
      isStopped = leads
      goTo(PlaylistPosition(track: place.track))
    case .seek(let seconds):
      if seconds.isFinite { goTo(PlaylistPosition(track: place.track, offset: .seconds(seconds))) }
    case .skip(let seconds):
      let goal = self.seconds(place) + seconds
      if goal.isFinite { goTo(PlaylistPosition(track: place.track, offset: .seconds(max(0, goal)))) }
    case .next: goTo(PlaylistPosition(track: playlist.track(1, after: place.track) ?? playlist.first))
    case .previous:
      let before = seconds(place) > 3 ? nil : playlist.track(-1, after: place.track)
      goTo(PlaylistPosition(track: before ?? place.track))
    case .track(let track): if playlist.files.indices.contains(track) { goTo(PlaylistPosition(track: track)) }
    case .load(_, _, let plays):
      // A place that was asked for before is one of the former list.
      _ = takeLeading()
      lead(.locate(0))
      if plays { lead(.start) }
      return true
    // While following, the rate is 1 and there is no section.
    case .rate, .pitch, .section: return !follower.isThere
    case .volume, .pan, .loop, .assign, .shuffle, .again, .replayGain: return true
    }
    return false
  }

  /// Starts or resumes.
  mutating func play(at sample: Int64? = nil) {
    if isOver {
      jump(to: PlaylistPosition(track: playlist.first))
    } else if let resting {
      jump(to: resting)
    }
    isPlaying = true
    isStopped = false
    crossfade.play(at: sample)
  }

  private mutating func pause() {
    isPlaying = false
    crossfade.pause()
  }

  private mutating func stop(at place: PlaylistPosition) {
    pause()
    isStopped = true
    rest(at: place)
  }

  private func sample(_ seconds: Double) -> Int64? {
    let sample = seconds * Double(hostRate)
    return sample.isFinite && abs(sample) < 1e15 ? Int64(sample.rounded()) : nil
  }

  private mutating func seek(_ seconds: Double) {
    guard seconds.isFinite else { return }
    isStopped = false
    let place = here
    let end = format(of: place.track)?.0.duration ?? .infinity
    jump(
      to: PlaylistPosition(
        track: place.track, offset: .seconds(max(0, min(seconds, end))), plays: place.plays))
  }

  private mutating func step(_ steps: Int) {
    let place = here
    if let track = playlist.track(steps, after: place.track) {
      return jump(to: PlaylistPosition(track: track, plays: place.plays))
    }
    if playlist.settings.repeatMode == .all {
      return jump(to: PlaylistPosition(track: playlist.first, plays: place.plays + 1))
    }
    stop(at: PlaylistPosition(track: playlist.first))
  }

  private mutating func previous() {
    let place = here
    let isFar = seconds(place) - (playlist.settings.section?.lowerBound ?? 0) > 3
    var track = playlist.track(-1, after: place.track)
    if track == nil && playlist.settings.repeatMode == .all { track = playlist.order.last }
    jump(to: PlaylistPosition(track: isFar ? place.track : track ?? place.track, plays: place.plays))
  }

  private mutating func load(_ files: [String], within folders: [String]) {
    guard !files.isEmpty else { return }
    playlist.load(files)
    mustGather = true
    gatherWithin = folders
    // Faults of a new list are reported again.
    (fault, leftOut, skipped) = (nil, nil, [])
    guard let follower, follower.isThere else { return jump(to: PlaylistPosition(track: playlist.first)) }
    // Places of the former list mean nothing in this one.
    timelines.removeAll()
    go(to: follower.target)
  }

  // MARK: - Changes of the playlist

  private mutating func change(_ command: PlayerCommand) {
    let place = here
    let before = playlist
    switch command {
    case .rate(let rate):
      playlist.settings.rate = PlayerParameters.rate.clamped(rate) ?? playlist.settings.rate
    case .pitch(let pitch): playlist.settings.pitch = pitch
    case .loop(let loop): playlist.settings.loop = loop
    case .section(let section): playlist.settings.section = section.flatMap(Playlist.section)
    case .assign(let assignments): playlist.settings.assignments = assignments
    case .replayGain(let mode): playlist.settings.replayGain = mode
    case .again(let again): playlist.settings.repeatMode = again
    case .shuffle(let seed):
      playlist.settings.shuffle = seed
      playlist.arrange(first: place.track)
    default: break
    }
    guard playlist != before else { return }
    if let section = playlist.settings.section, section != before.settings.section,
      seconds(place) >= section.upperBound
    {
      return resting == nil
        ? jump(to: PlaylistPosition(track: place.track, plays: place.plays))
        : rest(at: PlaylistPosition(track: place.track, plays: place.plays))
    }
    var audible = before
    (audible.settings.rate, audible.settings.pitch) = (playlist.settings.rate, playlist.settings.pitch)
    // At rate 1 the kinds of pitch do not differ.
    if audible == playlist && before.settings.rate == playlist.settings.rate && playlist.settings.rate == 1 {
      return
    }
    goOn()
  }

  // MARK: - Gains

  private mutating func setVolume(_ volume: Float, fade: Double, isLinear: Bool) {
    guard let volume = PlayerParameters.volume.clamped(volume) else { return }
    playlist.settings.volume = volume
    crossfade.volume(to: volume, in: samples(ofFade: fade), isLinear: isLinear)
  }

  private mutating func setPan(_ pan: Float, fade: Double) {
    guard let pan = PlayerParameters.pan.clamped(pan) else { return }
    playlist.settings.pan = pan
    balance(in: samples(ofFade: fade))
  }

  private func samples(ofFade seconds: Double) -> Int {
    Int(((PlayerParameters.fade.clamped(seconds) ?? 0) * Double(hostRate)).rounded())
  }
}
