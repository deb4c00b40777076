import MPRIS
import System
import TestSupport

/// The player that a service reads and controls in tests: a state that a test sets and requests change, and a list of
/// all requests.
final class TestPlayer: Sendable {
  struct State {
    var media: MediaState
    /// When the position was set.
    var time: Double
    var requests: [MediaRequest] = []
    var readCount = 0
  }
  private let state: Locked<State>

  /// The second of three tracks, paused at 12 s.
  static let song: MediaState = {
    var media = MediaState()
    media.status = .paused
    media.position = 12
    media.duration = 185.25
    media.track = 7
    media.title = "Señorita \u{1F3B5}"
    media.artist = "Artist & Söhne"
    media.album = "100 % Album"
    media.path = "/music/Ä b#1?.flac"
    media.cover = "/run/cover 1.jpg"
    media.hasNext = true
    media.hasPrevious = true
    return media
  }()

  init(_ media: MediaState = TestPlayer.song) { state = Locked(State(media: media, time: now())) }

  /// The state; while it plays the position moves on.
  var media: MediaState {
    state.withLock { state in
      state.readCount += 1
      return Self.moved(state)
    }
  }
  var requests: [MediaRequest] { state.withLock { $0.requests } }
  var readCount: Int { state.withLock { $0.readCount } }

  func set(_ change: (inout MediaState) -> Void) {
    state.withLock { state in
      state.media = Self.moved(state)
      state.time = now()
      change(&state.media)
    }
  }

  func perform(_ request: MediaRequest) {
    state.withLock { $0.requests.append(request) }
    set { media in
      switch request {
      case .play: media.status = .playing
      case .pause: media.status = .paused
      case .toggle: media.status = media.status == .playing ? .paused : .playing
      case .stop:
        media.status = .stopped
        media.position = 0
      case .next, .previous:
        media.track += request == .next ? 1 : -1
        media.position = 0
        media.title = "track \(media.track)"
      case .skip(let seconds): media.position = max(0, media.position + seconds)
      case .seek(let seconds, _): media.position = seconds
      case .rate(let rate): media.rate = rate
      case .volume(let volume): media.volume = volume
      case .shuffle(let isShuffled): media.isShuffled = isShuffled
      case .again(let again): media.again = again
      case .open(let path):
        media.path = path
        media.track += 1
      case .quit: break
      }
    }
  }

  private static func moved(_ state: State) -> MediaState {
    var media = state.media
    if media.status == .playing { media.position += (now() - state.time) * media.rate }
    return media
  }

  /// A service of this player on a bus, once it has its name there.
  func serve(on bus: MessageBus) throws -> MediaPlayerService {
    let service = MediaPlayerService(
      name: "visgraph", identity: "visgraph", rates: 0.5...2, volumes: 0...1, bus: bus.address,
      state: { self.media },
      perform: { self.perform($0) }
    )
    guard let service, poll(until: { service.busName != nil }) else {
      throw Child.Failure(description: "the service has no name on the bus")
    }
    return service
  }
}
