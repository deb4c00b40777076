import CParticles
import System

/// What a random stream belongs to: the id of a node, a channel and, within it, a cell by the path of its names. Nothing
/// else decides random numbers, so another emitter or cell changes none of these.
struct RandomIdentity {
  private var hash: UInt64 = 0xcbf2_9ce4_8422_2325

  init(node: String, channel: Int) {
    add(node)
    add(UInt64(bitPattern: Int64(channel)))
  }

  /// A cell inside; `twin` counts the cells beside it that have the same name and come before it, from 0.
  func inner(_ name: String, twin: Int) -> RandomIdentity {
    var inner = self
    inner.add(name)
    inner.add(UInt64(twin))
    return inner
  }

  /// The random words for the births of a cell. `era` is how many times 2³² births there have been: births are counted in 32
  /// bits.
  func random(seed: UInt32, era: UInt32) -> vg_random {
    let own = RandomStream.mixed(UInt64(seed) << 32 | UInt64(era))
    var stream = RandomStream(seed: RandomStream.mixed(hash ^ own))
    func next() -> UInt32 { UInt32(truncatingIfNeeded: stream.next() >> 32) }
    var random = vg_random()
    random.birth = next()
    withUnsafeMutableBytes(of: &random.word) {
      for place in stride(from: 0, to: $0.count, by: 4) {
        $0.storeBytes(of: next(), toByteOffset: place, as: UInt32.self)
      }
    }
    return random
  }

  /// FNV-1a over the bytes of UTF-8, then 0xFF to end them, which UTF-8 never has.
  private mutating func add(_ text: String) {
    for byte in text.utf8 { add(byte: byte) }
    add(byte: 0xff)
  }

  private mutating func add(_ number: UInt64) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      add(byte: UInt8(truncatingIfNeeded: number >> shift))
    }
  }

  private mutating func add(byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
}

extension Double {
  /// Clamped to a range; what is not a number becomes 0, or the end that is nearest to it.
  func clamped(_ range: ClosedRange<Double>) -> Double {
    let number = isNaN ? 0 : self
    return min(max(number, range.lowerBound), range.upperBound)
  }

  /// Clamped to ±1e9, so that the sums and products of a simulation stay finite; what is not a number becomes 0.
  var clamped: Double { clamped(-1e9...1e9) }

  /// `clamped` as a Float.
  var float: Float { Float(clamped) }
}
