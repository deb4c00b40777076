/// The order people expect of names: `2` before `10`, `a` beside `A` and `ä`. [any]
///
/// It holds for track numbers in any manner: `1-02`, `1-10`, `2-01`; `A1`, `A2`, `B1`; `CD 2`, `CD 10`.
public struct NaturalOrder: Comparable, Sendable {
  /// Bytes whose plain order is the order of the names.
  private let key: [UInt8]
  private let name: String

  /// The place of a name.
  public init(_ name: String) {
    self.name = name
    let folded = FoldedText.bytes(name)
    var key: [UInt8] = []
    key.reserveCapacity(folded.count + 4)
    var place = 0
    while place < folded.count {
      guard Self.isDigit(folded[place]) else {
        key.append(folded[place])
        place += 1
        continue
      }
      // A number is its length and then its digits: the longer is the greater.
      while place < folded.count, folded[place] == 0x30 { place += 1 }
      let start = place
      while place < folded.count, Self.isDigit(folded[place]) { place += 1 }
      key.append(0x30)
      key.append(UInt8(min(255, place - start)))
      key += folded[start..<place]
    }
    self.key = key
  }

  /// Names that differ in nothing that matters are in the order of their characters, so that there always is one.
  public static func < (one: NaturalOrder, other: NaturalOrder) -> Bool {
    one.key == other.key ? one.name < other.name : one.key.lexicographicallyPrecedes(other.key)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
