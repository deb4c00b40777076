import CParticles
import System

/// Whose random stream it is: a node's channel and, within it, a cell by the names on the way to it. Nothing else
/// decides random numbers, so another emitter or cell changes none of these.
struct RandomIdentity {
  private var hash: UInt64 = 0xcbf2_9ce4_8422_2325

  init(node: String, channel: Int) {
    add(node)
    add(UInt64(bitPattern: Int64(channel)))
  }

  /// A cell inside; `twin` counts those of the same name that come before it.
  func inner(_ name: String, twin: Int) -> RandomIdentity {
    var inner = self
    inner.add(name)
    inner.add(UInt64(twin))
    return inner
  }

  /// What the births of a cell draw with; `era` counts each 2³² births.
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

  /// FNV-1a over the bytes, and one that no text holds at its end.
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
  /// Itself within a range, and 0 (or the end that is nearest to it) for what is no number.
  func clamped(_ range: ClosedRange<Double>) -> Double {
    let number = isNaN ? 0 : self
    return min(max(number, range.lowerBound), range.upperBound)
  }

  /// Itself as far as particles can bear it: their sums and products stay finite up to here.
  var clamped: Double { clamped(-1e9...1e9) }

  /// The same as a float.
  var float: Float { Float(clamped) }
}
