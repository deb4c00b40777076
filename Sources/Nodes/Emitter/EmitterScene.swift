import Graphs
public import Particles
import Synchronization

/// The particles of an emitter node: one system per channel, moved by what its frame half leaves. [scene]
public final class EmitterScene: SceneNode {
  private struct Step: Sendable {
    let layers: [Layer]
    let frames: Int
    let seconds: Double
  }

  private struct Systems: ~Copyable, @unchecked Sendable {
    let all: [ParticleSystem]
  }

  /// The node's id.
  public let id: String
  private let steps = Mutex<[Step]>([])
  private let systems: Mutex<Systems>

  init(_ making: Making<Emitter.Settings>) {
    id = making.id
    let channels = making.inputs[0].channels.count
    let all = (0..<channels).map { channel in
      ParticleSystem(
        making.settings[channel].model(channel: channel, of: channels, on: making.stage), node: making.id,
        channel: channel)
    }
    systems = Mutex(Systems(all: all))
  }

  /// Leaves a frame behind: the layers as the levels have driven them. [frame]
  func leave(_ layers: [Layer], frames: Int, seconds: Double) {
    steps.withLock { $0.append(Step(layers: layers, frames: frames, seconds: seconds)) }
  }

  public func advance() {
    let steps = steps.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    systems.withLock { systems in
      for step in steps {
        for (system, layer) in zip(systems.all, step.layers) {
          system.layer = layer
          for _ in 0..<step.frames { system.step(step.seconds) }
        }
      }
    }
  }

  /// Looks at the systems, by channel; they stand still meanwhile, so it should not take long. Any thread.
  public func withSystems<Result>(_ body: ([ParticleSystem]) -> Result) -> Result {
    systems.withLock { body($0.all) }
  }
}

extension CompiledPlan {
  /// The emitters, in the order of the file: what comes later is drawn over what comes before.
  public var emitters: [EmitterScene] { scene.compactMap { $0 as? EmitterScene } }
}
