import Controls
import Graphs
import OSC

/// Why a client may not open anything. What is answered is in `reason`.
enum ViewRefusal: Error, Equatable {
  /// The host that was asked for is no name of this machine: another site has turned its name to this address.
  case host
  /// A page of another origin asks, without the key.
  case origin
  /// The key is missing.
  case noKey
  /// What was shown is not a key of this show.
  case wrongKey
  /// A token that has been used, or is too old.
  case token
  /// Keys are tried too often.
  case tooMuch
  /// A proxy of this machine asks for a client without a key, and not every client is allowed.
  case proxy

  /// Whether another key is all that is needed.
  var asksForKey: Bool { [.noKey, .wrongKey, .tooMuch].contains(self) }

  /// What to do, in a sentence.
  var reason: String {
    switch self {
    case .host:
      "This show is opened by an address or the name of its machine, not by the name in this address. Where that is meant, "
        + "the graph lists it: view: { names: [NAME] }; or the command line: --view-name NAME."
    case .origin:
      "Pages of other origins need the key: put ?key=WORD behind the address (view: { key: WORD } in the graph)."
    case .noKey: "Other machines need the key: put ?key=WORD behind the address."
    case .wrongKey: "That is not the key of this show."
    case .token:
      "This address opens the desk once, and soon after it was made. Ask the session manager for the desk again."
    case .tooMuch: "Too many wrong keys came from this machine; try it again in a minute."
    case .proxy:
      "Whoever comes by a proxy needs a key (view: { key: WORD } in the graph), unless any machine is allowed (allow: any)."
    }
  }
}

/// Who may open the pages, as the control port decides it: this machine, and those that are allowed. [any]
///
/// A browser speaks for whatever page it shows. So the host must be no name that another party could have given this
/// address, and a page of another origin must know the key, on this machine too.
struct ViewAccess: Sendable {
  private let allowed: AllowedPeers
  private let keys: ViewKeys
  private let hosts: PageHosts

  /// The rules of a graph, for a machine of such names.
  init(_ settings: ViewSettings, _ hosts: PageHosts) {
    allowed = settings.allow ?? .networks([])
    keys = settings.key
    self.hosts = hosts
  }

  /// What a request says of whom it comes from.
  struct Visitor {
    /// The machine.
    var peer: IPAddress
    /// The address of this machine that it has come to.
    var local: IPAddress?
    /// The field `Host`.
    var host: String?
    /// The field `Origin`; browsers alone send it.
    var origin: String?
    /// The key in the address.
    var key: String?
    /// The cookie that a browser was given for a token.
    var cookie: String?
    /// Whether a proxy asks for another client.
    var isForwarded = false
  }

  /// Whether a machine is heard at all.
  func hears(_ peer: IPAddress) -> Bool { allowed.contains(peer) }

  /// What a visitor may do; `mayTry`: whether a key of theirs is looked at.
  func right(of visitor: Visitor, mayTry: Bool = true) -> Result<ViewRight, ViewRefusal> {
    guard let host = visitor.host, hosts.contains(host, at: visitor.local) else { return .failure(.host) }
    let isForeign = visitor.origin.map { !Self.isSame($0, host) } ?? false
    let isProxied = visitor.peer.isLoopback && visitor.isForwarded
    // This machine needs no key; a wrong one, which any web site can have its browser show, is no reason to lock it out.
    if visitor.peer.isLoopback, !isProxied, !isForeign { return .success(.steer) }
    if let cookie = visitor.cookie, !isForeign, DeskTokens.own.knows(cookie, of: visitor.peer) {
      return .success(.steer)
    }
    // One that is not needed does no harm: an address with it may be opened here too.
    guard let key = visitor.key, keys != ViewKeys() else {
      if isForeign { return .failure(.origin) }
      if keys.stage != nil { return .failure(.noKey) }
      // Which machine it is for nobody knows.
      if isProxied, allowed != .any { return .failure(.proxy) }
      return .success(keys.desk == nil ? .steer : .watch)
    }
    guard mayTry else { return .failure(.tooMuch) }
    if let desk = keys.desk, SecretText.isSame(key, desk) { return .success(.steer) }
    if let stage = keys.stage, SecretText.isSame(key, stage) { return .success(.watch) }
    return .failure(.wrongKey)
  }

  /// Whether an origin is that of the host itself.
  private static func isSame(_ origin: String, _ host: String) -> Bool {
    ["http://", "https://"].contains { origin.lowercased() == $0 + host.lowercased() }
  }
}
