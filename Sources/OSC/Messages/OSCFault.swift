/// What can be wrong with something given to this module, as data; `description` makes the sentence.
///
/// The payloads are what a caller needs to point at the place: texts as they were given, offsets counted from 0.
public enum OSCFault: Error, Sendable, Equatable {
  /// The part before `://` names no transport known here.
  case endpointScheme(String)
  /// A transport that exists, but not in this version.
  case endpointTransport(String)
  /// The host is missing or holds characters no host has.
  case endpointHost(String)
  /// A bare IPv6 address, which needs brackets before a port can follow.
  case endpointNeedsBrackets(String)
  /// The port is missing or outside 1…65535.
  case endpointPort(String)
  /// Something follows the port.
  case endpointPath(String)
  /// What is no address of a machine, with or without the bits of its network.
  case network(String)
  /// What is no address that a machine could have, where it is to listen.
  case listen(String)

  /// An address that does not begin with `/`.
  case addressStart(String)
  /// A character OSC forbids in addresses, with its place in characters.
  case addressCharacter(Character, at: Int, in: String)
  /// An address with nothing between two slashes, or nothing after the last.
  case addressEmptyPart(at: Int, in: String)
  /// A placeholder that does not exist, with the nearest that does.
  case unknownPlaceholder(String, at: Int, nearest: String?)
  /// A `{` without its `}`.
  case openPlaceholder(at: Int, in: String)
  /// Two channels, counted from 0, that would send to one address.
  case equalAddresses(String, first: Int, second: Int)
  /// The number of addresses does not fit the number of channels.
  case addressCount(given: Int, needed: Int)

  /// A setting outside its range.
  case setting(name: String, value: Double, allowed: String)
  /// A packet larger than a datagram can be.
  case packetTooLarge(bytes: Int, limit: Int)
  /// A text with a zero byte inside, which OSC takes for its end.
  case zeroByte(String)
  /// A blob without bytes, which cannot be encoded.
  case emptyBlob
  /// A number that is none.
  case notANumber
  /// The memory for a packet was refused.
  case outOfMemory

  /// A packet that breaks the OSC 1.0 encoding, with the byte where it does.
  case packet(PacketDefect, at: Int)

  /// A score that could not be opened, because there is such a file.
  case fileExists(String)
  /// A file operation refused by the system, with its `errno`.
  case file(String, errno: Int32)

  /// A name for programs, which never changes once released.
  public var code: String {
    switch self {
    case .endpointScheme: "osc-scheme"
    case .endpointTransport: "osc-transport"
    case .endpointHost: "osc-host"
    case .endpointNeedsBrackets: "osc-host-brackets"
    case .endpointPort: "osc-port"
    case .endpointPath: "osc-path"
    case .network: "osc-network"
    case .listen: "osc-listen"
    case .addressStart: "osc-address-start"
    case .addressCharacter: "osc-address-character"
    case .addressEmptyPart: "osc-address-empty"
    case .unknownPlaceholder: "osc-placeholder"
    case .openPlaceholder: "osc-placeholder-open"
    case .equalAddresses: "osc-address-twice"
    case .addressCount: "osc-address-count"
    case .setting: "osc-setting"
    case .packetTooLarge: "osc-packet-size"
    case .zeroByte: "osc-zero-byte"
    case .emptyBlob: "osc-blob-empty"
    case .notANumber: "osc-nan"
    case .outOfMemory: "osc-memory"
    case .packet: "osc-packet"
    case .fileExists: "osc-file-exists"
    case .file: "osc-file"
    }
  }
}
