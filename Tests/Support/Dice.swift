/// Random numbers that come out the same in every run (splitmix64; Steele, Lea, Flood 2014).
public struct Dice: RandomNumberGenerator {
  private var state: UInt64

  /// Dice of a seed.
  public init(_ seed: UInt64) { state = seed }

  /// The next 64 bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  /// A cycle's length, 1 … `largest`: short ones as often as long ones.
  public mutating func cycle(upTo largest: Int = 4096) -> Int {
    let bits = Int.random(in: 0...(Int.bitWidth - largest.leadingZeroBitCount - 1), using: &self)
    return min(largest, (1 << bits) + Int.random(in: 0..<(1 << bits), using: &self))
  }
}
