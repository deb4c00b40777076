import MPRIS
import System
import TestSupport

/// What a service asks and tells in tests: facts that a test sets, and that move as asked; and all requests, in order.
final class TestPlayer: Sendable {
  struct State {
    var facts: MediaFacts
    /// When the position was set.
    var time: Double
    var requests: [MediaRequest] = []
    var looks = 0
  }
  private let state: Locked<State>

  /// The second of three tracks, paused at 12 s.
  static let song: MediaFacts = {
    var facts = MediaFacts()
    facts.status = .paused
    facts.position = 12
    facts.duration = 185.25
    facts.track = 7
    facts.title = "Señorita \u{1F3B5}"
    facts.artist = "Artist & Söhne"
    facts.album = "100 % Album"
    facts.path = "/music/Ä b#1?.flac"
    facts.cover = "/run/cover 1.jpg"
    facts.hasNext = true
    facts.hasPrevious = true
    return facts
  }()

  init(_ facts: MediaFacts = TestPlayer.song) { state = Locked(State(facts: facts, time: now())) }

  /// How it stands; while it plays the position moves on.
  var facts: MediaFacts {
    state.withLock { state in
      state.looks += 1
      return Self.moved(state)
    }
  }
  var requests: [MediaRequest] { state.withLock { $0.requests } }
  var looks: Int { state.withLock { $0.looks } }

  func set(_ change: (inout MediaFacts) -> Void) {
    state.withLock { state in
      state.facts = Self.moved(state)
      state.time = now()
      change(&state.facts)
    }
  }

  func obey(_ request: MediaRequest) {
    state.withLock { $0.requests.append(request) }
    set { facts in
      switch request {
      case .play: facts.status = .playing
      case .pause: facts.status = .paused
      case .toggle: facts.status = facts.status == .playing ? .paused : .playing
      case .stop:
        facts.status = .stopped
        facts.position = 0
      case .next, .previous:
        facts.track += request == .next ? 1 : -1
        facts.position = 0
        facts.title = "track \(facts.track)"
      case .skip(let seconds): facts.position = max(0, facts.position + seconds)
      case .seek(let seconds, _): facts.position = seconds
      case .rate(let rate): facts.rate = rate
      case .volume(let volume): facts.volume = volume
      case .shuffle(let isShuffled): facts.isShuffled = isShuffled
      case .again(let again): facts.again = again
      case .open(let path):
        facts.path = path
        facts.track += 1
      case .quit: break
      }
    }
  }

  private static func moved(_ state: State) -> MediaFacts {
    var facts = state.facts
    if facts.status == .playing { facts.position += (now() - state.time) * facts.rate }
    return facts
  }

  /// A service on a bus, once it has a name there.
  func serve(on bus: MessageBus) throws -> MediaPlayerService {
    let service = MediaPlayerService(
      name: "visgraph", identity: "visgraph", bus: bus.address, facts: { self.facts }, obey: { self.obey($0) }
    )
    guard let service, poll(until: { service.busName != nil }) else {
      throw MessageBus.Failure(description: "the service has no name on the bus")
    }
    return service
  }
}
