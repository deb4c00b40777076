import CRealtime
import Engine
import Realtime

/// Multiplies samples; a factor that changes is smoothed over one frame. [audio]
struct GainBlock: ~Copyable, Block {
  struct Settings: BitwiseCopyable {
    /// One per channel.
    let factors: UnsafePointer<Float>
    let isDriven: Bool
  }

  /// Where each channel's factor stands at the beginning and at the end of the running frame.
  private let from: UnsafeMutablePointer<Float>
  private let to: UnsafeMutablePointer<Float>
  private let levels: UnsafeMutablePointer<LevelSlots>
  private var isFresh = true
  /// Whether any level has come yet.
  private var isHeard = false

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

  // Not inlined: a cycle that begins no frame then needs no register saved.
  @inline(never) @_noLocks
  private mutating func beginFrame(_ channels: UInt32, _ settings: UnsafePointer<Settings>, _ cycle: Cycle) {
    if settings.pointee.isDriven {
      let late = levels.pointee.begin(frame: cycle.frame)
      // Nothing can be there for the first two frames that it runs.
      if late == 0 {
        isHeard = true
      } else if isHeard {
        cycle.counters.pointee.lateLevels.count(late)
      }
    }
    var channel = 0
    while channel < Int(channels) {
      var goal = settings.pointee.factors[channel]
      if settings.pointee.isDriven { goal *= levels.pointee.ramp(channel).to }
      from[channel] = isFresh ? goal : to[channel]
      to[channel] = goal
      channel &+= 1
    }
    isFresh = false
  }

  static var processing: vg_process { { runBlock(GainBlock.self, $0, $1) } }
}
