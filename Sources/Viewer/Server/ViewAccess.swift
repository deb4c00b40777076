import Controls
import Graphs
import OSC

/// What somebody may do with the pages.
enum ViewRight: Int, Comparable {
  /// Look on.
  case watch
  /// Steer as well.
  case steer

  static func < (a: ViewRight, b: ViewRight) -> Bool { a.rawValue < b.rawValue }
}

/// Why somebody may not open anything. What is told to them is in `reason`.
enum ViewRefusal: Error, Equatable {
  /// The host that was asked for is no name of this machine: another site has turned its name to this address.
  case host
  /// A page of another origin asks, without the key.
  case origin
  /// The key is missing.
  case noKey
  /// What was shown is not a key of this show.
  case wrongKey
  /// Keys are tried too often.
  case tooMuch
  /// A proxy of this machine asks for somebody without a key, and not everybody is allowed.
  case proxy

  /// What to do, in a sentence.
  var reason: String {
    switch self {
    case .host:
      "This show is opened by an address, by localhost or by a name of the local network, not by the name in this address."
    case .origin:
      "Pages of other origins need the key: put ?key=WORD behind the address (view: { key: WORD } in the graph)."
    case .noKey: "Other machines need the key: put ?key=WORD behind the address."
    case .wrongKey: "That is not the key of this show."
    case .tooMuch: "Too many wrong keys came from this machine; try it again in a minute."
    case .proxy:
      "Whoever comes by a proxy needs a key (view: { key: WORD } in the graph), unless any machine is allowed (allow: any)."
    }
  }
}

/// Who may open the pages, as the control port tells it: this machine, and those that are allowed. [any]
///
/// A browser speaks for whatever page it shows. So the host must be no name that somebody else could have given this
/// address, and a page of another origin must know the key, on this machine too.
struct ViewAccess: Sendable {
  private let allowed: AllowedPeers
  private let keys: ViewKeys

  /// The rules of a graph.
  init(_ settings: ViewSettings) {
    allowed = settings.allow ?? .networks([])
    keys = settings.key
  }

  /// What a request says of whom it comes from.
  struct Visitor {
    /// The machine.
    var peer: IPAddress
    /// The field `Host`.
    var host: String?
    /// The field `Origin`; browsers alone send it.
    var origin: String?
    /// The key in the address.
    var key: String?
    /// Whether a proxy asks for somebody else.
    var isForwarded = false
  }

  /// Whether a machine is heard at all.
  func hears(_ peer: IPAddress) -> Bool { allowed.contains(peer) }

  /// What a visitor may do; `mayTry`: whether a key of theirs is looked at.
  func right(of visitor: Visitor, mayTry: Bool = true) -> Result<ViewRight, ViewRefusal> {
    guard let host = visitor.host, Self.isLocalName(host) else { return .failure(.host) }
    let isForeign = visitor.origin.map { !Self.isSame($0, host) } ?? false
    let isProxied = visitor.peer.isLoopback && visitor.isForwarded
    // This machine needs no key; a wrong one, which any web site can have its browser show, is no reason to lock it out.
    if visitor.peer.isLoopback, !isProxied, !isForeign { return .success(.steer) }
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

  /// Whether a host is an address, or a name that nobody on the Internet can give to this one.
  static func isLocalName(_ host: String) -> Bool {
    guard host.utf8.count <= 255 else { return false }
    var name = host.lowercased()[...]
    if name.first == "[" {
      guard let end = name.firstIndex(of: "]"), isPort(name[name.index(after: end)...]) else { return false }
      return IPAddress(String(name[name.index(after: name.startIndex)..<end])) != nil
    }
    if let colon = name.firstIndex(of: ":") {
      guard isPort(name[colon...]) else { return false }
      name = name[..<colon]
    }
    guard
      name.utf8.allSatisfy({
        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x2E
      })
    else { return false }
    if IPAddress(String(name)) != nil { return true }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard !parts.contains(where: \.isEmpty) else { return false }
    return parts.count == 1 || parts.last == "local" || parts.last == "localhost"
      || parts.suffix(2) == ["home", "arpa"]
  }

  private static func isPort(_ text: Substring) -> Bool {
    text.isEmpty || text.first == ":" && UInt16(text.dropFirst()) != nil
  }
}
