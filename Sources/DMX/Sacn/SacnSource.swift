import Synchronization

/// Sequence numbers of one universe: 0…255, repeated. [any]
final class SacnSequence: Sendable {
  private let number = Atomic<UInt8>(0)

  /// The number of the next packet.
  func next() -> UInt8 { number.wrappingAdd(1, ordering: .relaxed).oldValue }
}

/// A source of sACN: the identifier by which receivers tell sources apart, and the name that users see. Sequence
/// numbers are counted for each universe, and continue when outputs are removed and added. [control]
public final class SacnSource {
  /// The port that receivers listen on.
  public static let port: UInt16 = 5568
  /// The universe of discovery packets.
  public static let discoveryUniverse: UInt16 = 64_214

  /// The component identifier (CID), 16 bytes, which never changes.
  public let identifier: [UInt8]
  /// The name, at most 63 bytes of UTF-8.
  public let name: String
  private var sequences: [UInt16: SacnSequence] = [:]
  private var syncSequences: [UInt16: SacnSequence] = [:]

  /// Makes a source whose identifier is computed from a text, so that equal texts give equal identifiers. It is a
  /// UUID of version 8 (RFC 9562, 5.8), made of two 64-bit FNV-1a hashes with different offsets.
  public init(identity: String, name: String) {
    func hash(_ start: UInt64) -> UInt64 {
      identity.utf8.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
    let halves = [hash(0xCBF2_9CE4_8422_2325), hash(0x6C62_272E_07BB_0142)]
    var bytes = halves.flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * $0)) } }
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    identifier = bytes
    self.name = Self.cut(name)
  }

  /// The longest prefix of a name within 63 bytes, in whole characters.
  private static func cut(_ name: String) -> String {
    var result = name
    while result.utf8.count > 63 { result.removeLast() }
    return result
  }

  /// The sequence numbers of the data packets of a universe, for all start codes.
  func sequence(of universe: UInt16) -> SacnSequence { Self.sequence(of: universe, in: &sequences) }

  /// The sequence numbers of the synchronization packets of a universe, which receivers count apart from data.
  func sequence(ofSync universe: UInt16) -> SacnSequence { Self.sequence(of: universe, in: &syncSequences) }

  private static func sequence(of universe: UInt16, in all: inout [UInt16: SacnSequence]) -> SacnSequence {
    if let known = all[universe] { return known }
    let new = SacnSequence()
    all[universe] = new
    return new
  }

  /// The IPv4 multicast group of a universe: 239.255, then its number in two bytes.
  public static func group(of universe: UInt16) -> String { "239.255.\(universe >> 8).\(universe & 0xFF)" }

  /// The IPv6 multicast group of a universe: ff18::8300, then its number (E1.31-2018, 9.3.2).
  public static func groupIPv6(of universe: UInt16) -> String {
    "ff18::8300:\(String(universe, radix: 16))"
  }
}
