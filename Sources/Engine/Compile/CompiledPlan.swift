public import Graphs
import Realtime

/// A graph made ready to run: the plan for the audio callback, the frame nodes, and all that keeps them alive.
/// [control] makes it, [any] frees it.
public final class CompiledPlan: @unchecked Sendable {
  /// The graph it was made from.
  public let graph: CheckedGraph
  /// What the callback runs.
  public let plan: UnsafeMutablePointer<Plan>
  /// What the frame thread runs.
  public let frames: FramePlan
  /// The host's ports it uses.
  public let ports: [HostPort]
  /// What moves in pictures, in the order of the file, which is the order of drawing.
  public let scene: [any SceneNode]
  /// What delivers samples to it.
  public let supplies: [any Supply]
  /// What can be asked of its nodes, with their ids, in the order of the file.
  public let controls: [(id: String, control: any NodeControl)]
  /// What every node keeps for the next plan, by key.
  let kept: [String: [AnyObject]]
  /// Where its buffers lie; the next plan may use them again.
  let samples: BufferMemory
  /// Its audio half, with the nodes of the graph before that still fade.
  let nodes: [AudioNode?]
  private let fades: [FadingWire]
  /// What nodes share, by name.
  let shared: [String: AnyObject]
  private let memory: PlanMemory

  init(
    graph: CheckedGraph, plan: UnsafeMutablePointer<Plan>, frames: FramePlan, ports: [HostPort],
    supplies: [any Supply], scene: [any SceneNode], controls: [(id: String, control: any NodeControl)],
    kept: [String: [AnyObject]], shared: [String: AnyObject], samples: BufferMemory, nodes: [AudioNode?],
    fades: [FadingWire], memory: PlanMemory
  ) {
    self.graph = graph
    self.plan = plan
    self.frames = frames
    self.ports = ports
    self.supplies = supplies
    self.scene = scene
    self.controls = controls
    self.kept = kept
    self.samples = samples
    self.nodes = nodes
    self.fades = fades
    self.shared = shared
    self.memory = memory
  }

  /// Whether something of the graph before is still heard, or something new is still coming: a plan of the same graph
  /// without it may follow as soon as `endFades` says so.
  public var isFading: Bool { !fades.isEmpty }

  /// Whether all fades are over. To be asked when the callback runs the plan; `samples` have been run so far. [control]
  public func endFades(at samples: UInt64) -> Bool {
    for fade in fades { fade.begin(at: samples) }
    return fades.allSatisfy { $0.isOver(at: samples) }
  }

  deinit {
    plan.deinitialize(count: 1)
    plan.deallocate()
  }
}
