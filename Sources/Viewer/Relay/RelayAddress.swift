public import OSC

/// The address of a show's stage, as a browser opens it, for a relay.
public struct RelayAddress: Sendable, CustomStringConvertible {
  /// Why a text is invalid.
  public enum Fault: Error, Equatable, CustomStringConvertible {
    /// It does not begin with http:// or ws://.
    case scheme
    /// The part between the slashes is no host with a port.
    case place(OSCError)
    /// The key has an invalid character, or is too long.
    case key

    /// The sentence: what is wrong, what is allowed.
    public var description: String {
      switch self {
      case .scheme: "an address begins with http:// or ws://, as in http://192.168.1.2:7780/?key=WORD"
      case .place(let fault): "\(fault)"
      case .key: "a key has letters, digits, and . _ ~ - alone"
      }
    }
  }

  /// Host and port; the default port is 80.
  public let endpoint: Endpoint
  /// The key; nil: none.
  let key: String?

  /// Reads `http://HOST:PORT/?key=WORD`; the path is ignored. `standard` is the key of a URL without one.
  public init(_ text: String, key standard: String? = nil) throws(Fault) {
    let lower = text.lowercased()
    guard let scheme = ["http://", "ws://"].first(where: { lower.hasPrefix($0) }) else { throw .scheme }
    let rest = text.dropFirst(scheme.count)
    let place = rest.prefix { !"/?#".contains($0) }
    let hasPort = place.hasSuffix("]") ? false : place.split(separator: "]").last?.contains(":") ?? false
    do throws(OSCError) { endpoint = try Endpoint(hasPort ? String(place) : "\(place):80") } catch {
      throw .place(error)
    }
    let path = rest.dropFirst(place.count)
    key = PageAddress(path.first == "/" ? String(path) : "/\(path)")?.query["key"] ?? standard
    // The key becomes part of a request line, which has no spaces and line breaks.
    if let key, !Self.isWord(key) { throw .key }
  }

  private static func isWord(_ key: String) -> Bool {
    !key.isEmpty && key.utf8.count <= 200
      && key.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF) || ".~_-".utf8.contains(byte)
      }
  }

  /// The URL without its key: `http://HOST:PORT/`.
  public var description: String { "http://\(endpoint)/" }

  /// The request target for a path, with the key.
  func path(_ path: String) -> String { path + (key.map { "?key=\($0)" } ?? "") }
}
