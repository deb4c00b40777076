public import OSC

/// Where the stage is that a relay hands on: the address by which a browser opens it.
public struct RelayAddress: Sendable, CustomStringConvertible {
  /// Why a text is no such address.
  public enum Fault: Error, Equatable, CustomStringConvertible {
    /// It begins with something else, or with nothing.
    case scheme
    /// What stands between the slashes is no host with its port.
    case place(OSCError)
    /// The key has other letters than a key may have.
    case key

    /// What is wrong, and what is allowed.
    public var description: String {
      switch self {
      case .scheme: "an address begins with http:// or ws://, as in http://192.168.1.2:7780/?key=WORD"
      case .place(let fault): "\(fault)"
      case .key: "a key has letters, digits, and . _ ~ - alone"
      }
    }
  }

  /// The host and the port; 80 where none is given.
  public let endpoint: Endpoint
  /// The key, where one is needed.
  let key: String?

  /// Reads `http://HOST:PORT/?key=WORD` and the like; paths are of no concern. `standard` is the key where none stands there.
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
    // What goes into the head of a request has neither spaces nor lines.
    if let key, !Self.isWord(key) { throw .key }
  }

  private static func isWord(_ key: String) -> Bool {
    !key.isEmpty && key.utf8.count <= 200
      && key.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF) || ".~_-".utf8.contains(byte)
      }
  }

  /// The address without its key: `http://HOST:PORT/`.
  public var description: String { "http://\(endpoint)/" }

  /// What is asked for at a path there.
  func path(_ path: String) -> String { path + (key.map { "?key=\($0)" } ?? "") }
}
