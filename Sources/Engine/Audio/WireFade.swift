public import CRealtime
public import Realtime

/// Fades the samples of a wire in or out, and holds them there, for wires that a new graph adds or removes. [audio]
///
/// Its position is counted in samples, so the bytes do not depend on how the signal is cut.
public struct WireFade: ~Copyable, Block {
  /// The settings, which the plan stores.
  public struct Settings: BitwiseCopyable {
    /// Samples of the whole fade; not 0.
    let length: UInt32
    /// Whether it fades in.
    let isUp: Bool
    /// Whether two fades that cross keep the power; otherwise they keep the sum.
    let isPower: Bool

    /// Makes settings.
    public init(length: UInt32, isUp: Bool, isPower: Bool) {
      self.length = max(1, length)
      self.isUp = isUp
      self.isPower = isPower
    }
  }

  /// Position in the fade, in samples: 0 is silence, `length` is full.
  private var position: UInt32
  private var length: UInt32 = 1

  /// Starts silent, or at full level.
  public init(isFull: Bool) { position = isFull ? 1 : 0 }

  /// Makes one output from one input.
  @_noLocks
  public mutating func process(_ io: IO, _ settings: UnsafePointer<Settings>, _ cycle: Cycle) {
    if length != settings.pointee.length {
      // The length has changed: keep the same fraction of it.
      position = UInt32(
        truncatingIfNeeded: UInt64(position) &* UInt64(settings.pointee.length) / UInt64(length))
      length = settings.pointee.length
    }
    let (output, input) = (cycle.output(io, 0), cycle.input(io, 0))
    let end = settings.pointee.isUp ? length : 0
    var i = 0
    while i < cycle.count, position != end {
      position = settings.pointee.isUp ? position &+ 1 : position &- 1
      output[i] = input[i] * factor(settings.pointee.isPower)
      i &+= 1
    }
    if i == cycle.count { return }
    if settings.pointee.isUp {
      vg_copy(output + i, input + i, cycle.count &- i)
    } else {
      vg_clear(output + i, cycle.count &- i)
    }
  }

  /// The gain s = 3t² − 2t³, which has no corner that could click. To keep the power it is sin(π/2 · s), by the Taylor
  /// series up to s¹¹.
  @_noLocks @inline(__always)
  private borrowing func factor(_ isPower: Bool) -> Float {
    if position == length { return 1 }
    let t = Double(position) / Double(length)
    let s = t * t * (3 - 2 * t)
    guard isPower else { return Float(s) }
    let x = s * s
    return Float(
      s
        * (1.5707963267948966 - x
          * (0.6459640975062463 - x
            * (0.0796926262461670
              - x * (0.0046817541353187 - x * (0.0001604411847874 - x * 0.0000035988432352)))))
    )
  }

  /// Written out in full, because a debug build does not specialize this module's own generics across files.
  public static var processing: vg_process {
    { op, segment in
      op.pointee.state.assumingMemoryBound(to: WireFade.self).pointee.process(
        op.pointee.io, op.pointee.settings.assumingMemoryBound(to: Settings.self), Cycle(segment))
    }
  }
}
