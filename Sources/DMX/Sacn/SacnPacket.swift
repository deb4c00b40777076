/// The packets of one universe of sACN (ANSI E1.31-2018, 4 to 6), encoded once and patched in place. [one]
public final class SacnPacket {
  /// How a packet is marked.
  public struct Options: OptionSet, Sendable {
    /// The bits of the octet.
    public let rawValue: UInt8
    /// Makes options.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Not for lamps, but for programs that show what would be (6.2.6).
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

  /// What slots mean: levels, unless stated otherwise.
  public static let levels: UInt8 = 0
  /// For each slot the priority of its level, 1…200; 0 where the source sends none.
  public static let priorities: UInt8 = 0xDD

  /// Encodes it, with all slots 0. `sync` is the universe whose synchronization packets receivers wait for, 0 for none;
  /// `startCode` says what slots mean.
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

  /// The slots, as they go out next.
  public var slots: UnsafeMutableBufferPointer<UInt8> {
    UnsafeMutableRawBufferPointer(rebasing: writer.bytes[Self.slotsPlace...]).bindMemory(to: UInt8.self)
  }

  /// The next packet, valid until the one after it; `priority` is 0…200.
  public func next(priority: UInt8, options: Options = []) -> UnsafeRawBufferPointer {
    writer.put(priority, at: 108)
    writer.put(sequence.next(), at: 111)
    writer.put(options.rawValue, at: 112)
    return UnsafeRawBufferPointer(writer.bytes)
  }
}

/// The synchronization packets of a universe (6.3), encoded once and patched in place: receivers that wait for them show what
/// they have. [one]
public final class SacnSynchronization {
  /// Bytes of a packet.
  public static let size = 49

  private let sequence: SacnSequence
  private let writer = PacketWriter(count: SacnSynchronization.size)

  /// Encodes it.
  public init(of universe: UInt16, source: SacnSource) {
    sequence = source.sequence(ofSync: universe)
    writer.putRoot(vector: 8, source: source, length: Self.size)
    writer.putLength(from: 38, to: Self.size)
    writer.put(UInt32(1), at: 40)
    writer.put(universe, at: 45)
  }

  deinit { writer.bytes.deallocate() }

  /// The next packet, valid until the one after it.
  public func next() -> UnsafeRawBufferPointer {
    writer.put(sequence.next(), at: 44)
    return UnsafeRawBufferPointer(writer.bytes)
  }
}

/// The packets of sACN besides data and synchronization.
public enum SacnExtended {
  /// The packets of a discovery (8): all universes that are sent, 512 a page. `universes` ascend.
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
  /// The root layer (5): a preamble, who sends, and what follows.
  fileprivate func putRoot(vector: UInt32, source: SacnSource, length: Int) {
    put(UInt16(0x10), at: 0)
    put("ASC-E1.17".utf8, at: 4)
    putLength(from: 16, to: length)
    put(vector, at: 18)
    put(source.identifier, at: 22)
  }

  /// The length of what follows, in 12 bits under the flags 0x7.
  fileprivate func putLength(from place: Int, to end: Int) { put(UInt16(0x7000 | (end - place)), at: place) }
}
