import CParticles
import System

/// Identifies the random stream of a cell, by a hash over the node's id, the channel and the names on the path to the
/// cell. Nothing else but the seed determines the stream, so adding another emitter or cell does not change it.
struct RandomIdentity {
  private var hash: UInt64 = 0xcbf2_9ce4_8422_2325

  init(node: String, channel: Int) {
    add(node)
    add(UInt64(bitPattern: Int64(channel)))
  }

  /// The identity of an inner cell. `twin`: the number of cells beside it that have the same name and come before it.
  func inner(_ name: String, twin: Int) -> RandomIdentity {
    var inner = self
    inner.add(name)
    inner.add(UInt64(twin))
    return inner
  }

  /// The random words for the births of the cell. Births are counted in 32 bits; `era` is the number of times that the
  /// count has wrapped.
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

  /// Adds UTF-8 bytes by FNV-1a, then the byte 0xFF, which UTF-8 never has, as the end.
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
  /// The number clamped to a range. NaN counts as 0.
  func clamped(_ range: ClosedRange<Double>) -> Double {
    let number = isNaN ? 0 : self
    return min(max(number, range.lowerBound), range.upperBound)
  }

  /// The number clamped to ±1e9, so that sums and products of the simulation stay finite. NaN becomes 0.
  var clamped: Double { clamped(-1e9...1e9) }

  /// `clamped` as a Float.
  var float: Float { Float(clamped) }
}
