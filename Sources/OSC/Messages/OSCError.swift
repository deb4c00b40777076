import CLiblo
import Glibc

/// A fault of something given to this module, as data; `description` makes the sentence.
///
/// The associated values locate the fault: a text as it was given, an offset counted from 0.
public enum OSCError: Error, Sendable, Equatable {
  /// The part before `://` names no known transport.
  case endpointScheme(String)
  /// A stream, which targets can have, where only datagrams are possible.
  case endpointTransport(String)
  /// The host is missing, or has characters that no host name has.
  case endpointHost(String)
  /// A bare IPv6 address, which needs brackets before a port can follow.
  case endpointNeedsBrackets(String)
  /// The port is missing or outside 1…65535.
  case endpointPort(String)
  /// Something follows the port.
  case endpointPath(String)
  /// An invalid path of a Unix socket: relative, empty, with a zero byte, or longer than `longest` bytes.
  case endpointFile(String, longest: Int)
  /// Neither an IP address nor a network in CIDR notation.
  case network(String)
  /// Not an IP address at which a socket can listen.
  case listen(String)

  /// An address that does not begin with `/`.
  case addressStart(String)
  /// A character OSC forbids in addresses, with its place in characters.
  case addressCharacter(Character, at: Int, in: String)
  /// An address with nothing between two slashes, or nothing after the last.
  case addressEmptyPart(at: Int, in: String)
  /// A placeholder that does not exist, and the nearest one that exists; nil: none is near.
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
  /// A message as users type it, with a quote that is not closed.
  case openQuote(String)
  /// A text with a zero byte, which ends a string in OSC.
  case zeroByte(String)
  /// `{value}` is missing in the arguments, or occurs more than once.
  case argumentValue([String])
  /// A placeholder in an argument that does not exist.
  case argumentPlaceholder(String, in: String)
  /// A blob without bytes, which cannot be encoded.
  case emptyBlob
  /// NaN.
  case notANumber
  /// The memory for a packet was refused.
  case outOfMemory

  /// A packet that breaks the OSC 1.0 encoding, with the byte where it does.
  case packet(PacketError, at: Int)

  /// A file that exists where a score is to be created.
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
    case .endpointFile: "osc-file-path"
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
    case .openQuote: "osc-quote"
    case .zeroByte: "osc-zero-byte"
    case .argumentValue: "osc-argument-value"
    case .argumentPlaceholder: "osc-argument-placeholder"
    case .emptyBlob: "osc-blob-empty"
    case .notANumber: "osc-nan"
    case .outOfMemory: "osc-memory"
    case .packet: "osc-packet"
    case .fileExists: "osc-file-exists"
    case .file: "osc-file"
    }
  }
}

extension OSCError: CustomStringConvertible {
  private static func invalidSocketPath(_ path: String, longest: Int) -> String {
    "\"\(path)\" is no path of a Unix socket; write osc.unix:///PATH, with at most \(longest) bytes after the"
      + " two slashes"
  }

  private static func invalidNetwork(_ text: String) -> String {
    "\"\(text)\" is no network; write an address such as 192.168.1.20 or fd00::5, or a network such as"
      + " 192.168.1.0/24 or fd00::/8"
  }

  /// The sentence: what is wrong, what is allowed, what to do.
  public var description: String {
    switch self {
    case .endpointScheme(let scheme):
      "no transport is called \(scheme):// ; write HOST:PORT or osc.udp://HOST:PORT/"
    case .endpointTransport(let scheme):
      "\(scheme):// is not possible here; use UDP: HOST:PORT or osc.udp://HOST:PORT/"
    case .endpointHost(""): "the host is missing; write HOST:PORT, such as 127.0.0.1:7700"
    case .endpointHost(let host):
      "\"\(host)\" is no host; use a name, an IPv4 address or an IPv6 address in brackets"
    case .endpointNeedsBrackets(let text):
      "\"\(text)\" looks like an IPv6 address; put it in brackets: [::1]:7700"
    case .endpointPort(""): "the port is missing; write HOST:PORT, such as 127.0.0.1:7700"
    case .endpointPort(let port): "\"\(port)\" is no port; ports are 1…65535"
    case .endpointPath(let path):
      "\"\(path)\" follows the port; a target is only HOST:PORT, OSC addresses are a setting of their own"
    case .endpointFile(let path, let longest): Self.invalidSocketPath(path, longest: longest)
    case .network(let text): Self.invalidNetwork(text)
    case .listen(let text):
      "\"\(text)\" is no address to listen at; write PORT, ADDRESS:PORT or [IPV6]:PORT, with an address of this"
        + " machine, or 0.0.0.0 or [::] for all of them"
    case .addressStart(let address):
      "\"\(address)\" does not begin with /; OSC addresses do, such as /visgraph/level/1"
    case .addressCharacter(let character, let at, let address):
      "\(Self.visible(character)) at character \(at + 1) of \"\(address)\" is not allowed in an OSC address;"
        + " allowed are printable ASCII characters except space # * , ? [ ] { }"
    case .addressEmptyPart(let at, let address):
      "a part of \"\(address)\" is empty at character \(at + 1); every / needs a name after it"
    case .unknownPlaceholder(let name, _, let nearest):
      "there is no {\(name)}; placeholders are {node} {source} {channel} {name}"
        + (nearest.map { "; did you mean {\($0)}?" } ?? "")
    case .openPlaceholder(let at, let text): "the { at character \(at + 1) of \"\(text)\" has no }"
    case .equalAddresses(let address, let first, let second):
      "channels \(first + 1) and \(second + 1) would both be sent to \(address);"
        + " put {channel} into the address"
    case .addressCount(let given, let needed): "\(given) addresses were given where \(needed) are needed"
    case .setting(let name, let value, let allowed): "\(name) is \(value); allowed is \(allowed)"
    case .packetTooLarge(let bytes, let limit):
      "a packet would have \(bytes) bytes; a datagram holds \(limit): send fewer channels or a message each"
    case .openQuote(let text):
      "a quote in \(text) is not closed; write \" before and after a text with spaces"
    case .zeroByte(let text):
      "\"\(text.replacing("\0", with: "\\0"))\" holds a zero byte, where OSC ends a text"
    case .argumentValue(let words):
      "the value goes where {value} stands, once in one of the arguments; they are \(words.joined(separator: ", "))"
    case .argumentPlaceholder(let name, let word):
      "{\(name)} in \"\(word)\" is no placeholder; {value}, {node}, {source}, {channel} and {name} are"
    case .emptyBlob: "a blob without bytes cannot be sent; leave the argument out"
    case .notANumber: "a number is not a number (NaN), which is never sent"
    case .outOfMemory: "there is no memory for a packet"
    case .packet(let defect, let at) where defect.isOfOneMessage:
      "the message is left out, because of byte \(at): \(defect)"
    case .packet(let defect, let at):
      "the packet is broken at byte \(at): \(defect)"
    case .fileExists(let path):
      "\(path) is there already; choose another name, or allow writing over it"
    case .file(let path, let number):
      "\(path): \(String(cString: strerror(number)))"
    }
  }

  private static func visible(_ character: Character) -> String {
    guard let scalar = character.unicodeScalars.first, scalar.value < 0x20 || scalar.value == 0x7F else {
      return "\"\(character)\""
    }
    return "control character \(scalar.value)"
  }
}
