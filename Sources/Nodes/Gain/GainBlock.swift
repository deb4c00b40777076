import CRealtime
import Engine
import Realtime

/// Multiplies samples by a factor that is smoothed over one frame. [audio]
struct GainBlock: ~Copyable, Block {
  struct Settings: BitwiseCopyable {
    /// The factor of each channel.
    let factors: UnsafePointer<Float>
    let isDriven: Bool
  }

  /// The factor of each channel at the beginning and at the end of the current frame.
  private let from: UnsafeMutablePointer<Float>
  private let to: UnsafeMutablePointer<Float>
  private let levels: UnsafeMutablePointer<LevelSlots>
  private var isFirstFrame = true
  /// Whether levels have arrived for a whole frame.
  private var hasLevels = false

  init(channels: Int, levels: UnsafeMutablePointer<LevelSlots>) {
    from = .allocate(capacity: max(1, channels))
    from.initialize(repeating: 0, count: max(1, channels))
    to = .allocate(capacity: max(1, channels))
    to.initialize(repeating: 0, count: max(1, channels))
    self.levels = levels
  }

  deinit {
    from.deallocate()
    to.deallocate()
  }

  @inline(__always) @_noLocks
  mutating func process(_ io: IO, _ settings: UnsafePointer<Settings>, _ cycle: Cycle) {
    if cycle.position == 0 { beginFrame(io.pointee.outputCount, settings, cycle) }
    vg_gain(cycle.segment, io, from, to)
  }

  // Not inlined, so that `process` saves no registers in a cycle in which no frame begins.
  @inline(never) @_noLocks
  private mutating func beginFrame(_ channels: UInt32, _ settings: UnsafePointer<Settings>, _ cycle: Cycle) {
    if settings.pointee.isDriven {
      let late = levels.pointee.begin(frame: cycle.frame)
      // Levels of the first frames cannot have arrived, and do not count as late.
      if late == 0 {
        hasLevels = true
      } else if hasLevels {
        cycle.counters.pointee.lateLevels.add(late)
      }
    }
    var channel = 0
    while channel < Int(channels) {
      var goal = settings.pointee.factors[channel]
      if settings.pointee.isDriven { goal *= levels.pointee.ramp(channel).to }
      from[channel] = isFirstFrame ? goal : to[channel]
      to[channel] = goal
      channel &+= 1
    }
    isFirstFrame = false
  }

  static var processing: vg_process { { runBlock(GainBlock.self, $0, $1) } }
}
