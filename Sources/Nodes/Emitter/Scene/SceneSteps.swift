import Engine
import Particles
import System

/// One frame of an emitter, with its driven numbers.
struct SceneStep: Sendable {
  /// The layers, by channel.
  let layers: [Layer]
  /// The number of frames that the step covers; more than 1 where frames have merged.
  let frames: Int
  /// The length of one frame, in seconds.
  let seconds: Double
  /// The number of the frame.
  let number: Int64
  /// The end of the frame, in seconds; it goes on while the timeline stands still.
  let time: Double
  /// When the frame ended, in nanoseconds of the monotonic clock.
  var ended: UInt64 = 0
  /// Sends the particles; nil: none are sent.
  let sender: ParticleSender?
  /// The master and the blackout for sent particles.
  var dimming = Dimmer().now
}

/// The frames that wait for the particles, in order, at most 2 s of them.
///
/// Where the particles cannot keep up, the oldest frames are dropped, so that neither lights nor memory are affected.
final class SceneSteps: @unchecked Sendable {
  private let lock = Lock()
  private var waiting: [SceneStep] = []
  /// Frames dropped since the last report.
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

  /// Takes all queued frames. [scene]
  func take() -> [SceneStep] {
    lock.withLock {
      defer { waiting = [] }
      return waiting
    }
  }

  /// Frames dropped since the last call. [control]
  func takeLeftOut() -> Int {
    lock.withLock {
      defer { leftOut = 0 }
      return leftOut
    }
  }
}
