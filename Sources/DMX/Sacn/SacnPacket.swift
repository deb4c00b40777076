/// The data packets of one universe of sACN (ANSI E1.31-2018, clauses 4 to 6). They are encoded once, and slots are
/// patched in place. [one]
public final class SacnPacket {
  /// The Options octet of a packet (6.2.6).
  public struct Options: OptionSet, Sendable {
    /// The bits of the octet.
    public let rawValue: UInt8
    /// Makes options.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Preview data: not for lamps, but for visualizers.
    public static let preview = Options(rawValue: 0x80)
    /// The source has ended the universe.
    public static let terminated = Options(rawValue: 0x40)
  }

  /// Bytes of a packet of 512 slots.
  public static let size = 638
  private static let slotsPlace = 126

  /// The universe.
  public let universe: UInt16
  private let sequence: SacnSequence
  private let writer: PacketWriter

  /// The start code of levels.
  public static let levels: UInt8 = 0
  /// The start code of per-slot priorities: 1…200, or 0 for a slot that the source does not send.
  public static let priorities: UInt8 = 0xDD

  /// Encodes the packet with all slots 0. `sync` is the universe whose synchronization packets receivers wait for; 0:
  /// none. `startCode` states what the slots are.
  public init(universe: UInt16, source: SacnSource, sync: UInt16 = 0, startCode: UInt8 = levels) {
    (self.universe, sequence) = (universe, source.sequence(of: universe))
    writer = PacketWriter(count: Self.size)
    writer.putRoot(vector: 4, source: source, length: Self.size)
    writer.putLength(from: 38, to: Self.size)
    writer.put(UInt32(2), at: 40)
    writer.put(source.name.utf8, at: 44)
    writer.put(UInt8(100), at: 108)
    writer.put(sync, at: 109)
    writer.put(universe, at: 113)
    writer.putLength(from: 115, to: Self.size)
    writer.put([0x02, 0xA1], at: 117)
    writer.put(UInt16(1), at: 121)
    writer.put(UInt16(1 + SlotAddress.slots), at: 123)
    writer.put(startCode, at: 125)
  }

  deinit { writer.bytes.deallocate() }

  /// The slots of the next packet.
  public var slots: UnsafeMutableBufferPointer<UInt8> {
    UnsafeMutableRawBufferPointer(rebasing: writer.bytes[Self.slotsPlace...]).bindMemory(to: UInt8.self)
  }

  /// The next packet, valid until the following call; `priority` is 0…200.
  public func next(priority: UInt8, options: Options = []) -> UnsafeRawBufferPointer {
    writer.put(priority, at: 108)
    writer.put(sequence.next(), at: 111)
    writer.put(options.rawValue, at: 112)
    return UnsafeRawBufferPointer(writer.bytes)
  }
}

/// The synchronization packets of a universe (6.3), encoded once and patched in place. Receivers that wait for them
/// put out the data they have received. [one]
public final class SacnSynchronization {
  /// Bytes of a packet.
  public static let size = 49

  private let sequence: SacnSequence
  private let writer = PacketWriter(count: SacnSynchronization.size)

  /// Encodes the packet.
  public init(of universe: UInt16, source: SacnSource) {
    sequence = source.sequence(ofSync: universe)
    writer.putRoot(vector: 8, source: source, length: Self.size)
    writer.putLength(from: 38, to: Self.size)
    writer.put(UInt32(1), at: 40)
    writer.put(universe, at: 45)
  }

  deinit { writer.bytes.deallocate() }

  /// The next packet, valid until the following call.
  public func next() -> UnsafeRawBufferPointer {
    writer.put(sequence.next(), at: 44)
    return UnsafeRawBufferPointer(writer.bytes)
  }
}

/// The universe discovery packets of sACN.
public enum SacnExtended {
  /// The packets of one discovery (clause 8): all universes that are sent, ascending, 512 in a page.
  public static func discovery(_ universes: [UInt16], source: SacnSource) -> [[UInt8]] {
    let last = max(0, (universes.count - 1) / 512)
    return (0...last).map { page in
      let part = universes.dropFirst(page * 512).prefix(512)
      let count = 120 + 2 * part.count
      return packet(count: count, source) { writer in
        writer.putLength(from: 38, to: count)
        writer.put(UInt32(2), at: 40)
        writer.put(source.name.utf8, at: 44)
        writer.putLength(from: 112, to: count)
        writer.put(UInt32(1), at: 114)
        writer.put([UInt8(page), UInt8(last)], at: 118)
        for (index, universe) in part.enumerated() { writer.put(universe, at: 120 + 2 * index) }
      }
    }
  }

  private static func packet(count: Int, _ source: SacnSource, _ fill: (PacketWriter) -> Void) -> [UInt8] {
    let writer = PacketWriter(count: count)
    defer { writer.bytes.deallocate() }
    writer.putRoot(vector: 8, source: source, length: count)
    fill(writer)
    return Array(writer.bytes)
  }
}

extension PacketWriter {
  /// Writes the root layer (clause 5): the preamble, the source's identifier, and the vector of the layer that
  /// follows.
  fileprivate func putRoot(vector: UInt32, source: SacnSource, length: Int) {
    put(UInt16(0x10), at: 0)
    put("ASC-E1.17".utf8, at: 4)
    putLength(from: 16, to: length)
    put(vector, at: 18)
    put(source.identifier, at: 22)
  }

  /// Writes the length from `place` to `end` in 12 bits, below the flags 0x7.
  fileprivate func putLength(from place: Int, to end: Int) { put(UInt16(0x7000 | (end - place)), at: place) }
}
