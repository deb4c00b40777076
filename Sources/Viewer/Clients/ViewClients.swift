import Controls
import Graphs
import NIOCore
import NIOWebSocket
import OSC
import Synchronization
import System

/// The clients of the pages: admission, connections for each machine, and timeouts. [view]
final class ViewClients {
  /// The interval of pings, and the timeout of a client that sends nothing, both in s.
  private static let (pingPause, silence) = (10.0, 40.0)

  private let access: ViewAccess
  /// The host names of the pages.
  let hosts: PageHosts
  private let notify: @Sendable (PortEvent) -> Void
  /// The maximum number of connections.
  private let most: Int
  /// The number of connections of each machine.
  private var connections: [IPAddress: Int] = [:]
  private var wrongKeys = WrongKeys()
  private var byId: [ObjectIdentifier: ViewClient] = [:] {
    didSet {
      watching.store(!byId.isEmpty, ordering: .relaxed)
      noteHere()
    }
  }
  private let watching = Atomic<Bool>(false)
  private let watchingHere = Atomic<Bool>(false)
  private var nextPing = 0.0

  /// `most`: the maximum number of connections. `notify` is called for refused pages.
  init(
    _ settings: ViewSettings, most: Int, notify: @escaping @Sendable (PortEvent) -> Void = { _ in }
  ) {
    hosts = PageHosts(listed: settings.names)
    access = ViewAccess(settings, hosts)
    self.most = most
    self.notify = notify
  }

  /// All clients with a WebSocket, in no order.
  var all: some Collection<ViewClient> { byId.values }
  var isEmpty: Bool { byId.isEmpty }
  /// Whether any page is connected. [any]
  var isWatched: Bool { watching.load(ordering: .relaxed) }

  /// Whether a page on this machine is connected. [any]
  var isWatchedHere: Bool { watchingHere.load(ordering: .relaxed) }

  /// The pages on this machine, without relays, OSCQuery clients and screens of the show.
  private var here: some Sequence<ViewClient> {
    byId.values.lazy.filter { $0.isHere && !$0.isScreen && !$0.isRelay && $0.oscQueryListens.isEmpty }
  }

  /// Updates `isWatchedHere`. Call it when a client connects, disconnects, or changes its kind.
  func noteHere() { watchingHere.store(here.contains { _ in true }, ordering: .relaxed) }

  /// The client with an id; nil: it has gone.
  subscript(id: ObjectIdentifier) -> ViewClient? { byId[id] }

  /// Whether a machine may connect. If so, the connection counts until `disconnected`.
  func connect(_ peer: IPAddress) -> Bool {
    guard access.hears(peer), connections.values.reduce(0, +) < most,
      // One machine may not take all connections.
      peer.isLoopback || connections[peer, default: 0] < max(16, most / 16)
    else { return false }
    connections[peer, default: 0] += 1
    return true
  }

  func disconnected(_ peer: IPAddress) {
    let rest = connections[peer, default: 1] - 1
    connections[peer] = rest > 0 ? rest : nil
  }

  /// What a client may do. Only an answered request counts a wrong key: a WebSocket's right is checked before its
  /// answer, too.
  func right(of visitor: ViewAccess.Visitor, isAnswered: Bool = true) -> Result<ViewRight, ViewRefusal> {
    let time = MonotonicClock.seconds
    let right = access.right(of: visitor, mayTry: wrongKeys.mayTry(visitor.peer, at: time))
    guard isAnswered, case .failure(let refusal) = right else { return right }
    switch refusal {
    case .wrongKey: if let key = visitor.key { wrongKeys.add(key, of: visitor.peer, at: time) }
    case .host: notify(.foreignPage(.host(visitor.host ?? ""), from: visitor.peer))
    case .origin: notify(.foreignPage(.origin(visitor.origin ?? ""), from: visitor.peer))
    case .noKey, .tooMuch, .token, .proxy: break
    }
    return right
  }

  /// The cookie for a token; nil: the token is invalid, or the client may not connect.
  func cookie(for token: String, of visitor: ViewAccess.Visitor) -> String? {
    var visitor = visitor
    visitor.key = nil
    switch right(of: visitor, isAnswered: false) {
    case .success, .failure(.noKey): break
    case .failure: return nil
    }
    return DeskTokens.own.take(token, of: visitor.peer, at: MonotonicClock.seconds)
  }

  func join(_ client: ViewClient) { byId[ObjectIdentifier(client)] = client }

  func leave(_ client: ViewClient) { byId[ObjectIdentifier(client)] = nil }

  /// Called several times a second: sends pings, and disconnects clients that are silent or take no bytes.
  func look(at time: Double) {
    guard time >= nextPing else { return }
    nextPing = time + Self.pingPause
    for client in all {
      if client.checkIsStuck(at: time) || time - client.lastHeard > Self.silence {
        client.channel.close(promise: nil)
      } else {
        client.ping()
      }
    }
  }

  /// Closes the pages on this machine; they do not reconnect by themselves.
  func dismiss() { for client in here { client.close(.dismissed) } }

  /// Closes all connections with a code: the show has ended, or another reason.
  func close(_ code: WebSocketErrorCode = .goingAway) { for client in all { client.close(code) } }
}

extension WebSocketErrorCode {
  /// A page is not to come back by itself; of the numbers that are left to applications.
  static let dismissed = WebSocketErrorCode(codeNumber: 4001)
  /// A relay has lost its show. Pages keep their picture, as they do when they lose a show.
  static let lost = WebSocketErrorCode(codeNumber: 4002)
}
