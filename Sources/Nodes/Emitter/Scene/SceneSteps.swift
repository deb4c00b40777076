import Engine
import Particles
import System

/// One frame of an emitter, as the levels have driven it.
struct SceneStep: Sendable {
  /// The layers, by channel.
  let layers: [Layer]
  /// Frames that it stands for: more than one where frames have merged.
  let frames: Int
  /// Seconds of one frame.
  let seconds: Double
  /// The number of the frame.
  let number: Int64
  /// Where the frame ends, in seconds; goes on while the timeline stands still.
  let time: Double
  /// When it ended, in nanoseconds of the monotonic clock.
  var ended: UInt64 = 0
  /// Where the particles are sent; nil: nobody.
  let sender: ParticleSender?
  /// How far what is sent is brought down.
  var dimming = Dimmer().now
}

/// The frames that wait for the particles: in order, and never more than two seconds of them.
///
/// Particles that cannot keep up leave the oldest frames out; the lights and the memory must not suffer for them.
final class SceneSteps: @unchecked Sendable {
  private let lock = Lock()
  private var waiting: [SceneStep] = []
  private var leftOut = 0

  /// Adds a frame. [frame]
  func add(_ step: SceneStep) {
    lock.withLock {
      if waiting.count >= Int(2 / step.seconds) + 1 {
        waiting.removeFirst()
        leftOut += 1
      }
      waiting.append(step)
    }
  }

  /// Takes all that is there. [scene]
  func take() -> [SceneStep] {
    lock.withLock {
      defer { waiting = [] }
      return waiting
    }
  }

  /// How many frames were left out since the last question. [control]
  func takeLeftOut() -> Int {
    lock.withLock {
      defer { leftOut = 0 }
      return leftOut
    }
  }
}
