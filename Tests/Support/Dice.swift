import Glibc
import System

/// How many mutants a test tries: so many, or as many as `MUTANTS` in the environment says.
public func mutants(_ usual: Int) -> Int { getenv("MUTANTS").flatMap { Int(String(cString: $0)) } ?? usual }

/// Random numbers that come out the same in every run.
public struct Dice: RandomNumberGenerator {
  private var stream: RandomStream

  /// Dice of a seed.
  public init(_ seed: UInt64) { stream = RandomStream(seed: seed) }

  /// The next 64 bits.
  public mutating func next() -> UInt64 { stream.next() }

  /// A cycle's length, 1 … `largest`: short ones as often as long ones.
  public mutating func cycle(upTo largest: Int = 4096) -> Int {
    let bits = Int.random(in: 0...(Int.bitWidth - largest.leadingZeroBitCount - 1), using: &self)
    return min(largest, (1 << bits) + Int.random(in: 0..<(1 << bits), using: &self))
  }
}
