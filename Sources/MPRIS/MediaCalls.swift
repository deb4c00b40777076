/// What the methods and the properties of a player ask of it, by the interface's own rules. [desktop]
struct MediaCalls {
  private let properties: MediaProperties
  private let facts: MediaFacts

  init(_ properties: MediaProperties, _ facts: MediaFacts) {
    self.properties = properties
    self.facts = facts
  }

  /// What a method asks for; nil where it shall have no effect.
  func request(_ call: BusCall) throws(BusFault) -> MediaRequest? {
    if call.member == "OpenUri" { return try open(call.arguments[0]) }
    guard facts.hasTrack else { return nil }
    switch call.member {
    case "Next": return facts.hasNext ? .next : nil
    case "Previous": return facts.hasPrevious ? .previous : nil
    case "Pause": return .pause
    case "PlayPause": return .toggle
    case "Stop": return .stop
    case "Play": return .play
    case "Seek": return seek(call.arguments[0])
    default: return setPosition(call.arguments)
    }
  }

  /// On or back from where it stands; beyond the end begins the next track.
  private func seek(_ argument: BusValue?) -> MediaRequest? {
    guard case .integer(let offset)? = argument else { return nil }
    let seconds = Double(offset) / 1e6
    if let duration = facts.duration, facts.position + seconds > duration, facts.hasNext { return .next }
    return .skip(seconds)
  }

  /// A place of the track, if it is still this one and the place is in it.
  private func setPosition(_ arguments: [BusValue?]) -> MediaRequest? {
    guard case .object(properties.track(facts))? = arguments[0], case .integer(let place)? = arguments[1]
    else { return nil }
    let seconds = Double(place) / 1e6
    guard seconds >= 0, seconds <= facts.duration ?? .infinity else { return nil }
    return .seek(seconds, track: facts.track)
  }

  private func open(_ argument: BusValue?) throws(BusFault) -> MediaRequest {
    guard case .text(let url)? = argument else { throw .address("") }
    guard let path = FileURL.path(of: url) else { throw .address(url) }
    return .open(path)
  }

  /// What setting a property asks for. A number outside its range means the end of it.
  static func set(_ name: String, to value: BusValue?) throws(BusFault) -> MediaRequest {
    switch name {
    case "Rate":
      guard case .number(let rate)? = value, rate.isFinite else {
        throw .value(name, takes: "a number of type d, 0.5 to 2")
      }
      // The interface's own rule.
      if rate == 0 { return .pause }
      return .rate(min(max(rate, MediaProperties.rates.lowerBound), MediaProperties.rates.upperBound))
    case "Volume":
      guard case .number(let volume)? = value, volume.isFinite else {
        throw .value(name, takes: "a number of type d, 0 to 1")
      }
      return .volume(min(max(volume, 0), 1))
    case "Shuffle":
      guard case .flag(let isShuffled)? = value else { throw .value(name, takes: "a flag of type b") }
      return .shuffle(isShuffled)
    case "LoopStatus":
      guard case .text(let word)? = value, let again = MediaFacts.Again(rawValue: word) else {
        throw .value(name, takes: "None, Track or Playlist, of type s")
      }
      return .again(again)
    default: throw .readOnly(name)
    }
  }
}
