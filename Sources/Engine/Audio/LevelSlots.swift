import Synchronization

/// Carries levels into audio. A level that the frame thread makes in frame n acts from the start of a later
/// frame: n + 2 unless the graph says otherwise. So the sound does not depend on the cycle's length. Each level is
/// stamped with the frame in which it acts. The slots belong to the state of the block that they control, so a new plan
/// continues where the old one was.
public struct LevelSlots: ~Copyable {
  /// How many levels there are.
  public let count: Int
  /// Frames that the slots hold. A level is replaced `depth` frames later; one frame more than the delay would be
  /// enough for the callback to have read it by then.
  let depth: Int
  /// By level, then by frame modulo `depth`: the low 32 bits of the frame in the high ones, the level in the low ones.
  /// The initial bits stand for no level; they would be taken for one in frame 2³² - 1, after two years at 60 fps.
  let slots: UnsafeMutablePointer<Atomic<UInt64>>
  /// For each level, its values at the beginning and at the end of the current frame. [audio] only.
  @usableFromInline let ramps: UnsafeMutablePointer<Float>

  /// Makes slots for levels that act at most `delay` frames after the frame that they are made in. Every level starts
  /// at 0. [control]
  public init(count: Int, delay: Int = 2) {
    self.count = count
    depth = delay + 14
    slots = .allocate(capacity: max(1, count * depth))
    for i in 0..<count * depth { (slots + i).initialize(to: Atomic(UInt64.max)) }
    ramps = .allocate(capacity: max(2, count * 2))
    ramps.initialize(repeating: 0, count: max(2, count * 2))
  }

  deinit {
    slots.deallocate()
    ramps.deallocate()
  }

  /// Sets the value that level `index` reaches at the end of `frame`, the frame in which it acts, not that in which it
  /// is made; not negative. [frame]
  public borrowing func set(_ index: Int, frame: Int64, to level: Float) {
    let stamp = UInt64(truncatingIfNeeded: frame) << 32 | UInt64(level.bitPattern)
    slots[index * depth + Int(frame % Int64(depth))].store(stamp, ordering: .releasing)
  }

  /// The values of level `index` at the beginning and at the end of the current frame. [audio]
  @inlinable @inline(__always)
  public borrowing func ramp(_ index: Int) -> (from: Float, to: Float) {
    (ramps[2 &* index], ramps[2 &* index &+ 1])
  }

  /// Takes the levels that act in `frame`, which begins, as the ends of the ramps. Returns the number of levels that
  /// have not arrived; those keep their value. [audio]
  @_noLocks
  public borrowing func begin(frame: Int64) -> UInt64 {
    var late: UInt64 = 0
    var i = 0
    while i < count {
      let stamp = slots[i &* depth &+ Int(frame % Int64(depth))].load(ordering: .acquiring)
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
