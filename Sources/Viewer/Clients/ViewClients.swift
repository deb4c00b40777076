import Controls
import Graphs
import NIOCore
import NIOWebSocket
import OSC
import Synchronization
import System

/// Who is connected to the pages: who may be, how many of each machine, and whether they are still there. [view]
final class ViewClients {
  /// How often it is asked who is still there, in seconds, and after how long one that says nothing is gone.
  private static let (pingPause, silence) = (10.0, 40.0)

  private let access: ViewAccess
  /// By which names pages are opened.
  let hosts: PageHosts
  private let notify: @Sendable (PortEvent) -> Void
  /// The most connections.
  private let most: Int
  /// How many there are of each machine.
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

  /// At most so many connections; called for pages that are refused.
  init(
    _ settings: ViewSettings, most: Int, notify: @escaping @Sendable (PortEvent) -> Void = { _ in }
  ) {
    hosts = PageHosts(listed: settings.names)
    access = ViewAccess(settings, hosts)
    self.most = most
    self.notify = notify
  }

  /// All who have a WebSocket, in no order.
  var all: some Collection<ViewClient> { byId.values }
  var isEmpty: Bool { byId.isEmpty }
  /// Whether any page looks on. [any]
  var isWatched: Bool { watching.load(ordering: .relaxed) }

  /// Whether any page of this machine does. [any]
  var isWatchedHere: Bool { watchingHere.load(ordering: .relaxed) }

  /// The pages of this machine; a relay is none, nor is a program that asks by OSCQuery, nor a screen of the show.
  private var here: some Sequence<ViewClient> {
    byId.values.lazy.filter { $0.isHere && !$0.isScreen && !$0.handsStageOn && $0.addresses.isEmpty }
  }

  /// One of this machine has said what it is, or has come or gone.
  func noteHere() { watchingHere.store(here.contains { _ in true }, ordering: .relaxed) }

  /// One of them; nil where it is gone.
  subscript(id: ObjectIdentifier) -> ViewClient? { byId[id] }

  /// Whether one more may connect; who may is counted until `disconnected`.
  func connect(_ peer: IPAddress) -> Bool {
    guard access.hears(peer), connections.values.reduce(0, +) < most,
      // One machine does not take them all.
      peer.isLoopback || connections[peer, default: 0] < max(16, most / 16)
    else { return false }
    connections[peer, default: 0] += 1
    return true
  }

  func disconnected(_ peer: IPAddress) {
    let rest = connections[peer, default: 1] - 1
    connections[peer] = rest > 0 ? rest : nil
  }

  /// What a visitor may do. A wrong key counts where it is answered: who asks for a WebSocket is looked at before.
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

  /// The cookie for a token that a visitor has; nil where that is not good, or not meant for who has it.
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

  /// Some times a second: asks who is still there, and ends those who are not, or take nothing.
  func look(at time: Double) {
    guard time >= nextPing else { return }
    nextPing = time + Self.pingPause
    for client in all {
      if client.isStuck(at: time) || time - client.lastHeard > Self.silence {
        client.channel.close(promise: nil)
      } else {
        client.ping()
      }
    }
  }

  /// Sends the pages of this machine away; they rest until the user wants to see them again.
  func dismiss() { for client in here { client.close(.dismissed) } }

  /// Says good-bye to all: the show has ended, or whatever else `code` says.
  func close(_ code: WebSocketErrorCode = .goingAway) { for client in all { client.close(code) } }
}

extension WebSocketErrorCode {
  /// A page is not to come back by itself; of the numbers that are left to applications. The pages have it too
  /// (connection.js).
  static let dismissed = WebSocketErrorCode(codeNumber: 4001)
  /// A relay has lost its show, which has not said that it ends: pages hold their picture, as they do without a relay.
  static let lost = WebSocketErrorCode(codeNumber: 4002)
}
