import Realtime

extension PlayerState {
  /// How the player stands now.
  var facts: PlayerFacts {
    mutating get {
      catchUp()
      let place = here
      let known = format(of: place.track)
      var facts = PlayerFacts()
      facts.isPlaying = following.map { $0.isThere } == true ? following?.rolls == true && !isOver : isPlaying
      facts.isOver = isOver
      facts.isInterrupted = isInterrupted
      facts.currentTime = seconds(place)
      facts.deviceCurrentTime = Double(deck.sample) / Double(hostRate)
      facts.duration = known?.0.duration
      facts.numberOfChannels = known?.0.channels ?? 0
      facts.format = known?.0
      facts.path = program.path(place.track)
      facts.tags = known?.1 ?? AudioTags()
      facts.track = place.track
      facts.tracks = program.files.count
      facts.rate = program.rate
      facts.pitch = program.pitch
      facts.volume = volume
      facts.pan = pan
      facts.loop = program.loop
      facts.section = program.section
      facts.again = program.again
      facts.shuffle = program.shuffle
      (facts.underruns, facts.missingSamples) = deck.underruns
      facts.nonFinite = nonFinite
      facts.fault = fault
      return facts
    }
  }
}
