import Synchronization

/// Levels on their way into audio: what the frame thread makes of frame n acts from the start of frame n + 2, so that
/// sound does not depend on the cycle. Sixteen frames deep, each value stamped with its frame. They belong to the state
/// of the block that they steer, so a new plan goes on where the old one was.
public struct LevelSlots: ~Copyable {
  static var depth: Int { 16 }
  /// How many levels there are.
  public let count: Int
  let slots: UnsafeMutablePointer<Atomic<UInt64>>
  /// For each level where the running frame begins and where it ends. [audio] only.
  @usableFromInline let ramps: UnsafeMutablePointer<Float>

  /// Makes slots; every level begins at 0. [control]
  public init(count: Int) {
    self.count = count
    slots = .allocate(capacity: max(1, count * Self.depth))
    for i in 0..<count * Self.depth { (slots + i).initialize(to: Atomic(UInt64.max)) }
    ramps = .allocate(capacity: max(2, count * 2))
    ramps.initialize(repeating: 0, count: max(2, count * 2))
  }

  deinit {
    slots.deallocate()
    ramps.deallocate()
  }

  /// Says what level `index` shall have at the end of frame `frame`. [frame]
  public borrowing func set(_ index: Int, frame: Int64, to level: Float) {
    let stamp = UInt64(truncatingIfNeeded: frame) << 32 | UInt64(level.bitPattern)
    slots[index * Self.depth + Int(frame % Int64(Self.depth))].store(stamp, ordering: .releasing)
  }

  /// Where level `index` stands at the beginning and at the end of the running frame. [audio]
  @inlinable @inline(__always)
  public borrowing func ramp(_ index: Int) -> (from: Float, to: Float) {
    (ramps[2 &* index], ramps[2 &* index &+ 1])
  }

  /// Takes what was said for the frame that begins. Returns how many levels were not there. [audio]
  @_noLocks
  public borrowing func begin(frame: Int64) -> UInt64 {
    var late: UInt64 = 0
    var i = 0
    while i < count {
      let stamp = slots[i &* Self.depth &+ Int(frame % Int64(Self.depth))].load(ordering: .acquiring)
      ramps[2 &* i] = ramps[2 &* i &+ 1]
      if stamp >> 32 == UInt64(truncatingIfNeeded: frame) & 0xffff_ffff {
        ramps[2 &* i &+ 1] = Float(bitPattern: UInt32(truncatingIfNeeded: stamp))
      } else {
        late &+= 1
      }
      i &+= 1
    }
    return late
  }
}
