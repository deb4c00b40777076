/// A slot of a universe, written as in patches: `1/1` is the first slot of the first universe. Both count from 1.
public struct SlotAddress: Sendable, Hashable, CustomStringConvertible {
  /// The numbers of universes (ANSI E1.31-2018, 6.2.7).
  public static let universes = 1...63_999
  /// Slots of a universe (ANSI E1.11).
  public static let slots = 512

  /// The universe, 1…63999.
  public let universe: Int
  /// The slot, 1…512.
  public let slot: Int

  /// Makes an address; nil outside the ranges.
  public init?(universe: Int, slot: Int) {
    guard Self.universes.contains(universe), (1...Self.slots).contains(slot) else { return nil }
    (self.universe, self.slot) = (universe, slot)
  }

  /// Parses `UNIVERSE/SLOT`.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, text.utf8.allSatisfy({ $0 == 0x2F || (0x30...0x39).contains($0) }),
      let universe = Int(parts[0]), let slot = Int(parts[1])
    else { return nil }
    self.init(universe: universe, slot: slot)
  }

  /// The address `count` slots further on, across universes; nil after the last one.
  public func advanced(by count: Int) -> SlotAddress? {
    let place = slot - 1 + count
    return SlotAddress(universe: universe + place / Self.slots, slot: place % Self.slots + 1)
  }

  /// `UNIVERSE/SLOT`.
  public var description: String { "\(universe)/\(slot)" }

  /// The byte for a level 0…1, clamped and rounded.
  @inlinable public static func byte(of level: Float) -> UInt8 { UInt8(max(0, min(1, level)) * 255 + 0.5) }
}
