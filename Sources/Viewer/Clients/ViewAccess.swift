import Controls
import Graphs
import OSC

/// Why a client is refused. `reason` is the text of the answer.
enum ViewRefusal: Error, Equatable {
  /// The field `Host` is no name of this machine, as with DNS rebinding.
  case host
  /// A page of another origin has no key.
  case origin
  case noKey
  /// The key is not one of this show's.
  case wrongKey
  /// The token is used up or expired.
  case token
  /// There were too many wrong keys.
  case tooMuch
  /// A proxy on this machine forwards a client without a key, and `allow` is not `any`.
  case proxy

  /// Whether a valid key is all that is missing.
  var asksForKey: Bool { [.noKey, .wrongKey, .tooMuch].contains(self) }

  /// The sentence for the user.
  var reason: String {
    switch self {
    case .host:
      "This show is opened by an address or the name of its machine, not by the name in this address. Where that is meant, "
        + "the graph lists it: view: { names: [NAME] }; or the command line: --view-name NAME."
    case .origin:
      "Pages of other origins need the key: put ?key=WORD after the address (view: { key: WORD } in the graph)."
    case .noKey: "Other machines need the key: put ?key=WORD after the address."
    case .wrongKey: "That is not the key of this show."
    case .token:
      "This address opens the desk once, and soon after it was made. Ask the session manager for the desk again."
    case .tooMuch: "Too many wrong keys came from this machine; try it again in a minute."
    case .proxy:
      "A client behind a proxy needs a key (view: { key: WORD } in the graph), unless any machine is allowed (allow: any)."
    }
  }
}

/// Decides who may open the pages: this machine, and machines that `allow` lists. [any]
///
/// A browser sends requests for any page that it shows. So the field `Host` must name this machine, and a page of
/// another origin needs the key, on this machine, too.
struct ViewAccess: Sendable {
  private let allowed: AllowedPeers
  private let keys: ViewKeys
  private let hosts: PageHosts

  /// The rules of a graph, for this machine's names.
  init(_ settings: ViewSettings, _ hosts: PageHosts) {
    allowed = settings.allow ?? .networks([])
    keys = settings.key
    self.hosts = hosts
  }

  /// The origin of a request.
  struct Visitor {
    /// The client's address.
    var peer: IPAddress
    /// The address of this machine that the client has connected to.
    var local: IPAddress?
    /// The field `Host`.
    var host: String?
    /// The field `Origin`; only browsers send it.
    var origin: String?
    /// The key in the URL.
    var key: String?
    /// The cookie of the desk.
    var cookie: String?
    /// Whether a proxy has forwarded the request.
    var isForwarded = false
  }

  /// Whether a machine may connect at all.
  func hears(_ peer: IPAddress) -> Bool { allowed.contains(peer) }

  /// What a client may do. `mayTry`: whether a key is checked.
  func right(of visitor: Visitor, mayTry: Bool = true) -> Result<ViewRight, ViewRefusal> {
    guard let host = visitor.host, hosts.contains(host, at: visitor.local) else { return .failure(.host) }
    let isForeign = visitor.origin.map { !Self.isSame($0, host) } ?? false
    let isProxied = visitor.peer.isLoopback && visitor.isForwarded
    // This machine needs no key, and a wrong one must not lock it out: any site can make the browser send one.
    if visitor.peer.isLoopback, !isProxied, !isForeign { return .success(.steer) }
    if let cookie = visitor.cookie, !isForeign, DeskTokens.own.knows(cookie, of: visitor.peer) {
      return .success(.steer)
    }
    // Without keys in the graph, a key in the URL is ignored.
    guard let key = visitor.key, keys != ViewKeys() else {
      if isForeign { return .failure(.origin) }
      if keys.stage != nil { return .failure(.noKey) }
      // The address of the forwarded client is unknown.
      if isProxied, allowed != .any { return .failure(.proxy) }
      return .success(keys.desk == nil ? .steer : .watch)
    }
    guard mayTry else { return .failure(.tooMuch) }
    if let desk = keys.desk, SecretText.isSame(key, desk) { return .success(.steer) }
    if let stage = keys.stage, SecretText.isSame(key, stage) { return .success(.watch) }
    return .failure(.wrongKey)
  }

  /// Whether an origin has the same host and port as the field `Host`.
  private static func isSame(_ origin: String, _ host: String) -> Bool {
    ["http://", "https://"].contains { origin.lowercased() == $0 + host.lowercased() }
  }
}
