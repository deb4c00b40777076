/// A seeded random generator, SplitMix64 (Steele, Lea, Flood 2014). A seed gives the same numbers on every machine and
/// in every version. Not for secrets.
package struct RandomStream: RandomNumberGenerator, Sendable {
  /// The increment of the state: 2⁶⁴ divided by the golden ratio, odd.
  package static let increment: UInt64 = 0x9e37_79b9_7f4a_7c15

  private var state: UInt64

  /// Makes the stream of a seed.
  package init(seed: UInt64) { state = seed }

  /// The next 64 bits.
  package mutating func next() -> UInt64 {
    state &+= Self.increment
    return Self.mixed(state)
  }

  /// The finalizer: a bijective hash in which every bit depends on all others.
  package static func mixed(_ number: UInt64) -> UInt64 {
    var x = number
    x = (x ^ (x >> 30)) &* 0xbf58_476d_1ce4_e5b9
    x = (x ^ (x >> 27)) &* 0x94d0_49bb_1331_11eb
    return x ^ (x >> 31)
  }
}
