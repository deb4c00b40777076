import Realtime

extension PlayerState {
  /// Takes a command.
  mutating func obey(_ command: PlayerCommand) {
    catchUp()
    if let following, following.isThere, !ask(following, command) { return }
    switch command {
    case .play: play(at: nil)
    case .playAt(let seconds): play(at: sample(seconds))
    case .pause: pause()
    case .toggle: if isPlaying { pause() } else { play(at: nil) }
    case .stop: stop(at: here)
    case .rewind: stop(at: Place(track: here.track))
    case .seek(let seconds): seek(seconds)
    case .skip(let seconds): seek(self.seconds(here) + seconds)
    case .volume(let volume, let fade): setVolume(volume, fade: fade)
    case .pan(let pan): setPan(pan)
    case .next: step(1)
    case .previous: previous()
    case .track(let track):
      if program.files.indices.contains(track) { jump(to: Place(track: track, plays: here.plays)) }
    case .load(let files, let folders): load(files, within: folders)
    case .rate, .pitch, .loop, .section, .assign, .shuffle, .again: change(command)
    }
  }

  // MARK: - Transport

  /// Brings a command to the host's transport, where that decides.
  ///
  /// - Returns: whether the player is to take it as well.
  private mutating func ask(_ following: Following, _ command: PlayerCommand) -> Bool {
    func lead(_ request: HostTransport.Request) { if leads { following.ask(request) } }
    func goTo(_ place: Place) { if leads, following.canAsk { self.lead(to: place) } }
    let place = here
    switch command {
    case .play, .playAt: lead(.start)
    case .pause, .stop: lead(.stop)
    case .toggle: lead(following.rolls ? .stop : .start)
    case .rewind:
      lead(.stop)
      goTo(Place(track: place.track))
    case .seek(let seconds):
      if seconds.isFinite { goTo(Place(track: place.track, offset: .seconds(seconds))) }
    case .skip(let seconds):
      let goal = self.seconds(place) + seconds
      if goal.isFinite { goTo(Place(track: place.track, offset: .seconds(max(0, goal)))) }
    case .next: goTo(Place(track: program.track(1, after: place.track) ?? program.first))
    case .previous:
      let before = seconds(place) > 3 ? nil : program.track(-1, after: place.track)
      goTo(Place(track: before ?? place.track))
    case .track(let track): if program.files.indices.contains(track) { goTo(Place(track: track)) }
    case .load:
      goTo(Place())
      return true
    // There is one rate while it follows.
    case .rate, .pitch, .section: return false
    case .volume, .pan, .loop, .assign, .shuffle, .again: return true
    }
    return false
  }

  /// Begins to play, or goes on.
  mutating func play(at sample: Int64? = nil) {
    if isOver {
      jump(to: Place(track: program.first))
    } else if let resting {
      jump(to: resting)
    }
    isPlaying = true
    deck.play(at: sample)
  }

  private mutating func pause() {
    isPlaying = false
    deck.pause()
  }

  private mutating func stop(at place: Place) {
    pause()
    rest(at: place)
  }

  private func sample(_ seconds: Double) -> Int64? {
    let sample = seconds * Double(hostRate)
    return sample.isFinite && abs(sample) < 1e15 ? Int64(sample.rounded()) : nil
  }

  private mutating func seek(_ seconds: Double) {
    guard seconds.isFinite else { return }
    let place = here
    let end = format(of: place.track)?.0.duration ?? .infinity
    jump(to: Place(track: place.track, offset: .seconds(max(0, min(seconds, end))), plays: place.plays))
  }

  private mutating func step(_ steps: Int) {
    let place = here
    if let track = program.track(steps, after: place.track) {
      return jump(to: Place(track: track, plays: place.plays))
    }
    if program.again == .all { return jump(to: Place(track: program.first, plays: place.plays + 1)) }
    stop(at: Place(track: program.first))
  }

  private mutating func previous() {
    let place = here
    let isFar = seconds(place) - (program.section?.lowerBound ?? 0) > 3
    var track = program.track(-1, after: place.track)
    if track == nil && program.again == .all { track = program.order.last }
    jump(to: Place(track: isFar ? place.track : track ?? place.track, plays: place.plays))
  }

  private mutating func load(_ files: [String], within folders: [String]) {
    guard !files.isEmpty else { return }
    program.files = files
    program.arrange(first: nil)
    mustGather = true
    gatherWithin = folders
    jump(to: Place(track: program.first))
  }

  // MARK: - What goes on at the same place

  private mutating func change(_ command: PlayerCommand) {
    let place = here
    let before = program
    switch command {
    case .rate(let rate): program.rate = Program.rate(rate) ?? program.rate
    case .pitch(let pitch): program.pitch = pitch
    case .loop(let loop): program.loop = loop
    case .section(let section): program.section = section.flatMap(Program.section)
    case .assign(let assignments): program.assignments = assignments
    case .again(let again): program.again = again
    case .shuffle(let seed):
      program.shuffle = seed
      program.arrange(first: place.track)
    default: break
    }
    guard program != before else { return }
    if let section = program.section, section != before.section, seconds(place) >= section.upperBound {
      return resting == nil
        ? jump(to: Place(track: place.track, plays: place.plays))
        : rest(at: Place(track: place.track, plays: place.plays))
    }
    var audible = before
    (audible.rate, audible.pitch) = (program.rate, program.pitch)
    // At rate 1 both ways to another rate are the same.
    if audible == program && before.rate == program.rate && program.rate == 1 { return }
    goOn()
  }

  // MARK: - Gains

  private mutating func setVolume(_ volume: Float, fade: Double) {
    guard volume.isFinite else { return }
    self.volume = max(0, min(1, volume))
    let seconds = fade.isFinite ? max(0, min(fade, 3600)) : 0
    deck.volume(to: self.volume, in: Int((seconds * Double(hostRate)).rounded()))
  }

  private mutating func setPan(_ pan: Float) {
    guard pan.isFinite else { return }
    self.pan = max(-1, min(1, pan))
    balance()
  }
}
