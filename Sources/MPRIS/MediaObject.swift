import DBus

/// The player's object on the bus: answers calls, without a connection of its own. [desktop]
struct MediaObject {
  /// The properties of the object.
  let properties: MediaProperties

  /// The reply to a call.
  enum Answer: Equatable {
    /// A reply without values.
    case done
    /// A reply with a value, as a variant if `isAny`.
    case value(BusValue, isAny: Bool)
    case fault(BusError)
  }

  /// The methods of each interface, with the type signatures of their arguments.
  private static let methods: [(interface: String, members: [String: String])] = [
    (BusNames.root, ["Raise": "", "Quit": ""]),
    (
      BusNames.player,
      [
        "Next": "", "Previous": "", "Pause": "", "PlayPause": "", "Stop": "", "Play": "", "Seek": "x",
        "SetPosition": "ox", "OpenUri": "s",
      ]
    ),
    (BusNames.properties, ["Get": "ss", "GetAll": "s", "Set": "ssv"]),
    (BusNames.introspection, ["Introspect": ""]),
  ]

  /// Answers a call. Returns the reply, and the request to the player that the call makes, if any.
  func answer(_ call: BusCall, _ state: () -> MediaState) -> (Answer, MediaRequest?) {
    do {
      guard call.path == BusNames.object else { return (try elsewhere(call), nil) }
      let interface = try checked(call)
      switch interface {
      case BusNames.root: return (.done, call.member == "Quit" ? .quit : nil)
      case BusNames.player: return (.done, try MediaCalls(properties, state()).request(call))
      case BusNames.introspection: return (.value(.text(Introspection.player), isAny: false), nil)
      default: return try property(call, state)
      }
    } catch {
      return (.fault(error), nil)
    }
  }

  /// The interface that a call means. Throws where it has no such method, or the arguments have other types.
  private func checked(_ call: BusCall) throws(BusError) -> String {
    if let name = call.interface, !Self.methods.contains(where: { $0.interface == name }) {
      throw .unknownInterface(name)
    }
    for (interface, members) in Self.methods where call.interface == nil || call.interface == interface {
      guard let takes = members[call.member] else { continue }
      guard takes == call.signature else {
        throw .arguments(call.member, takes: takes, got: call.signature)
      }
      return interface
    }
    throw .unknownMethod(call.member)
  }

  /// The reply of a parent path, which only supports introspection.
  private func elsewhere(_ call: BusCall) throws(BusError) -> Answer {
    guard call.member == "Introspect", call.interface == nil || call.interface == BusNames.introspection,
      let below = Introspection.below(call.path)
    else { throw .unknownObject(call.path) }
    return .value(.text(below), isAny: false)
  }

  // MARK: - Properties

  private func property(_ call: BusCall, _ state: () -> MediaState) throws(BusError) -> (
    Answer, MediaRequest?
  ) {
    guard case .text(let interface)?? = call.arguments.first else { throw .unknownInterface("") }
    let all: [BusEntry]
    switch interface {
    case BusNames.root: all = properties.program
    case BusNames.player: all = properties.player(state())
    case BusNames.properties, BusNames.introspection: all = []
    default: throw .unknownInterface(interface)
    }
    if call.member == "GetAll" { return (.value(.entries(all), isAny: false), nil) }
    guard case .text(let name)? = call.arguments[1] else { throw .unknownProperty("") }
    guard let entry = all.first(where: { $0.name == name }) else { throw .unknownProperty(name) }
    if call.member == "Get" { return (.value(entry.value, isAny: true), nil) }
    guard interface == BusNames.player else { throw .readOnly(name) }
    return (.done, try set(name, to: call.arguments[2]))
  }

  /// The request that setting a property makes. A number out of range is clamped.
  private func set(_ name: String, to value: BusValue?) throws(BusError) -> MediaRequest {
    switch name {
    case "Rate":
      guard case .number(let rate)? = value, rate.isFinite else {
        throw .value(name, takes: "a number of type d, \(Self.span(properties.rates))")
      }
      // A rate of 0 pauses, as MPRIS requires.
      if rate == 0 { return .pause }
      return .rate(Self.clamped(rate, properties.rates))
    case "Volume":
      guard case .number(let volume)? = value, volume.isFinite else {
        throw .value(name, takes: "a number of type d, \(Self.span(properties.volumes))")
      }
      return .volume(Self.clamped(volume, properties.volumes))
    case "Shuffle":
      guard case .flag(let isShuffled)? = value else { throw .value(name, takes: "a flag of type b") }
      return .shuffle(isShuffled)
    case "LoopStatus":
      guard case .text(let word)? = value, let again = MediaState.RepeatMode(rawValue: word) else {
        throw .value(name, takes: "None, Track or Playlist, of type s")
      }
      return .again(again)
    default: throw .readOnly(name)
    }
  }

  private static func clamped(_ number: Double, _ range: ClosedRange<Double>) -> Double {
    min(max(number, range.lowerBound), range.upperBound)
  }

  /// A range in the words of an error.
  private static func span(_ range: ClosedRange<Double>) -> String {
    [range.lowerBound, range.upperBound].map { end in Int(exactly: end).map { "\($0)" } ?? "\(end)" }
      .joined(separator: " to ")
  }
}

/// The requests that methods of the player make, by the rules of MPRIS. [desktop]
struct MediaCalls {
  private let properties: MediaProperties
  private let state: MediaState

  init(_ properties: MediaProperties, _ state: MediaState) {
    self.properties = properties
    self.state = state
  }

  /// The request of a method; nil where MPRIS says that it has no effect.
  func request(_ call: BusCall) throws(BusError) -> MediaRequest? {
    if call.member == "OpenUri" { return try open(call.arguments[0]) }
    guard state.hasTrack else { return nil }
    switch call.member {
    case "Next": return state.hasNext ? .next : nil
    case "Previous": return state.hasPrevious ? .previous : nil
    case "Pause": return .pause
    case "PlayPause": return .toggle
    case "Stop": return .stop
    case "Play": return .play
    case "Seek": return seek(call.arguments[0])
    default: return setPosition(call.arguments)
    }
  }

  /// Skips forward or back. Beyond the end of the track it goes to the next one.
  private func seek(_ argument: BusValue?) -> MediaRequest? {
    guard case .integer(let offset)? = argument else { return nil }
    let seconds = Double(offset) / 1e6
    if let duration = state.duration, state.position + seconds > duration, state.hasNext { return .next }
    return .skip(seconds)
  }

  /// Seeks in the track; nil where another track plays by now, or the position is out of range.
  private func setPosition(_ arguments: [BusValue?]) -> MediaRequest? {
    guard case .object(properties.track(state))? = arguments[0], case .integer(let place)? = arguments[1]
    else { return nil }
    let seconds = Double(place) / 1e6
    guard seconds >= 0, seconds <= state.duration ?? .infinity else { return nil }
    return .seek(seconds, track: state.track)
  }

  private func open(_ argument: BusValue?) throws(BusError) -> MediaRequest {
    guard case .text(let url)? = argument else { throw .address("") }
    guard let path = FileURL.path(of: url) else { throw .address(url) }
    return .open(path)
  }
}
