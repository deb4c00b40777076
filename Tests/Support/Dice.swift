import Glibc
import System

/// The number of mutants that a test tries: `usual`, unless the environment variable `MUTANTS` gives another.
public func mutants(_ usual: Int) -> Int { getenv("MUTANTS").flatMap { Int(String(cString: $0)) } ?? usual }

/// Pseudorandom numbers, the same in every run.
public struct Dice: RandomNumberGenerator {
  private var stream: RandomStream

  /// Dice with a seed.
  public init(_ seed: UInt64) { stream = RandomStream(seed: seed) }

  /// The next 64 bits.
  public mutating func next() -> UInt64 { stream.next() }

  /// A length of a cycle in samples, 1…`largest`: short lengths are as likely as long ones.
  public mutating func cycle(upTo largest: Int = 4096) -> Int {
    let bits = Int.random(in: 0...(Int.bitWidth - largest.leadingZeroBitCount - 1), using: &self)
    return min(largest, (1 << bits) + Int.random(in: 0..<(1 << bits), using: &self))
  }
}
