/// Random numbers that are the same for the same seed, everywhere and for ever: SplitMix64 (Steele, Lea, Flood 2014). Good
/// for pictures, orders and tests, not for secrets.
package struct RandomStream: RandomNumberGenerator, Sendable {
  /// How far the state goes with each number: 2⁶⁴ divided by the golden ratio, odd.
  package static let increment: UInt64 = 0x9e37_79b9_7f4a_7c15

  private var state: UInt64

  /// The stream of a seed.
  package init(seed: UInt64) { state = seed }

  /// The next 64 bits.
  package mutating func next() -> UInt64 {
    state &+= Self.increment
    return Self.mixed(state)
  }

  /// Its finisher: a hash in which every bit depends on all, and each number comes from one other.
  package static func mixed(_ number: UInt64) -> UInt64 {
    var x = number
    x = (x ^ (x >> 30)) &* 0xbf58_476d_1ce4_e5b9
    x = (x ^ (x >> 27)) &* 0x94d0_49bb_1331_11eb
    return x ^ (x >> 31)
  }
}
