import System

/// Pseudorandom numbers, the same in every run.
struct Dice: RandomNumberGenerator {
  private var stream: RandomStream

  /// Dice with a run's seed and the number of a mutant, so that each mutant can be made alone.
  init(seed: UInt64, number: Int) {
    stream = RandomStream(seed: seed &* 0xd134_2543_de82_ef95 ^ UInt64(number) &* 0xaf25_1af3_b0f0_25b5)
    _ = next()
  }

  mutating func next() -> UInt64 { stream.next() }

  /// A number 0 ..< `count`; 0 if `count` is below 2.
  mutating func pick(_ count: Int) -> Int { count < 2 ? 0 : Int.random(in: 0..<count, using: &self) }

  /// An element of a nonempty list.
  mutating func one<T>(of list: [T]) -> T { list[pick(list.count)] }

  /// Bytes with one change: a bit flipped, one or four bytes set, some removed, some doubled, or all after a place
  /// removed.
  mutating func changed(_ bytes: [UInt8]) -> [UInt8] {
    guard !bytes.isEmpty else { return bytes }
    var bytes = bytes
    let place = pick(bytes.count)
    let end = min(bytes.count, place + 1 + pick(12))
    switch pick(6) {
    case 0: bytes[place] ^= 1 << UInt8(pick(8))
    case 1: bytes[place] = UInt8(pick(256))
    case 2: bytes.removeSubrange(place..<end)
    case 3: bytes.insert(contentsOf: Array(bytes[place..<end]), at: place)
    case 4:
      for index in place..<min(bytes.count, place + 4) { bytes[index] = one(of: [0, 0x7F, 0x80, 0xFF]) }
    default: bytes = Array(bytes.prefix(place))
    }
    return bytes
  }
}
