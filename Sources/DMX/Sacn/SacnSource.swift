import Synchronization

/// The sequence numbers of one universe: 0 to 255 in turn. [any]
final class SacnSequence: Sendable {
  private let number = Atomic<UInt8>(0)

  /// The number of the next packet.
  func next() -> UInt8 { number.wrappingAdd(1, ordering: .relaxed).oldValue }
}

/// Who sends sACN: what receivers tell sources apart by, and the name that people see. Its sequence numbers are counted for
/// each universe, and go on while outputs come and go. [control]
public final class SacnSource {
  /// The port that receivers listen at.
  public static let port: UInt16 = 5568
  /// The universe of discovery packets.
  public static let discoveryUniverse: UInt16 = 64_214

  /// The component identifier (CID), 16 bytes: the same for the life of a source.
  public let identifier: [UInt8]
  /// The name, at most 63 bytes of UTF-8.
  public let name: String
  private var sequences: [UInt16: SacnSequence] = [:]
  private var syncSequences: [UInt16: SacnSequence] = [:]

  /// A source whose identifier follows from a text: the same text gives the same identifier. It is a UUID of version 8
  /// (RFC 9562, 5.8), of two FNV-1a hashes of 64 bits.
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

  /// As much of a name as there is room for, in whole characters.
  private static func cut(_ name: String) -> String {
    var result = name
    while result.utf8.count > 63 { result.removeLast() }
    return result
  }

  /// The numbers of the data packets of a universe, whatever its slots mean.
  func sequence(of universe: UInt16) -> SacnSequence { Self.sequence(of: universe, in: &sequences) }

  /// The numbers of the synchronization packets of a universe: receivers count these apart from data.
  func sequence(ofSync universe: UInt16) -> SacnSequence { Self.sequence(of: universe, in: &syncSequences) }

  private static func sequence(of universe: UInt16, in all: inout [UInt16: SacnSequence]) -> SacnSequence {
    if let known = all[universe] { return known }
    let new = SacnSequence()
    all[universe] = new
    return new
  }

  /// Where the packets of a universe go by multicast: 239.255 and the number.
  public static func group(of universe: UInt16) -> String { "239.255.\(universe >> 8).\(universe & 0xFF)" }

  /// The same by IPv6: ff18::8300 and the number (E1.31-2018, 9.3.2).
  public static func groupIPv6(of universe: UInt16) -> String {
    "ff18::8300:\(String(universe, radix: 16))"
  }
}
