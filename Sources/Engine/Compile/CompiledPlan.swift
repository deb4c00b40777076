public import Graphs
public import Realtime
import Synchronization
import System

/// A graph made ready to run: the plan for the audio callback, the frame nodes, and all that keeps them alive.
/// [control] makes it, [any] frees it.
public final class CompiledPlan: @unchecked Sendable {
  /// Frames per second.
  public let fps: FrameRate
  let configuration: StreamConfiguration
  let levels: LevelLayout
  /// The graph with the settings made since, and how many settings were made.
  let current: Locked<Current>
  /// The audio parts of the nodes, by the index of the node in the graph, nil for one without; then those of the graph
  /// before that are still fading out. [control]
  var nodes: [AudioNode?]
  /// How each node was made. [control]
  var running: [RunningNode]
  /// The number of the plan in this process. It identifies the plan; an address may be reused by a later one.
  public let number = CompiledPlan.made.add(1, ordering: .relaxed).newValue
  private static let made = Atomic<Int>(0)
  /// The part that the audio callback runs.
  public let plan: UnsafeMutablePointer<Plan>
  /// The part that the frame thread runs.
  public let frames: FramePlan
  /// The host's ports it uses.
  public let ports: [HostPort]
  /// The nodes that move in pictures, and those that show them.
  let pictures: PlanPictures
  /// The levels of scenes in silence, by which lights may be left at the end.
  let looks: PlanLooks
  /// The sources that stream samples into it.
  public let streams: [any StreamedSource]
  /// The state that every node keeps for the next plan, by key.
  let kept: [String: [AnyObject]]
  /// The memory of its buffers, which the next plan may reuse.
  let bufferMemory: BufferMemory
  /// The fades of wires that the plan adds or removes.
  private let fades: [FadingWire]
  /// The probes of its sound.
  let probes: SoundProbes
  /// Objects that nodes share, by name.
  let shared: [String: AnyObject]
  /// The memory of settings and tables that `plan` points into. It lives as long as the plan.
  private let memory: PlanMemory

  init(
    _ draft: PlanDraft, _ audio: AudioLayout, plan: UnsafeMutablePointer<Plan>, frames: FramePlan
  ) {
    fps = draft.graph.fps
    configuration = draft.configuration
    levels = draft.levels
    current = Locked(Current(graph: draft.graph, controls: draft.controls))
    nodes = draft.audioNodes
    running = draft.running.compactMap { $0 }
    self.plan = plan
    self.frames = frames
    ports = audio.hostPorts
    streams = draft.parts.compactMap(\.stream)
    pictures = draft.pictures
    looks = draft.looks
    kept = draft.kept
    bufferMemory = audio.samples
    fades = draft.fades
    probes = SoundProbes(plan, ops: audio.opOfNode)
    shared = draft.shared.all
    memory = draft.memory
  }

  /// The nodes that move in pictures, in the order of the file, which is the drawing order.
  public var scene: [any SceneNode] { pictures.nodes }
  /// Runs after all of `scene` in each frame; nil: nothing does.
  public var sceneEnd: (any SceneNode)? { pictures.end }

  /// Advances all that moves in pictures by the frames that wait, and shows it. [scene]
  package func advanceScene() {
    for node in pictures.nodes { node.advance() }
    pictures.end?.advance()
    for node in pictures.shown { node.show() }
  }

  /// The objects that its nodes keep or share.
  var keptObjects: Set<ObjectIdentifier> {
    Set((Array(kept.values.joined()) + shared.values).map(ObjectIdentifier.init))
  }

  /// The graph as it runs, with the settings made since it was compiled. [any]
  public var graph: CheckedGraph { current.withLock { $0.graph } }

  /// The controls of its nodes, with the nodes' ids, in the order of the file. [any]
  public var controls: [(id: String, control: any NodeControl)] { current.withLock { $0.controls } }

  /// Identifies the plan and its settings. Code that caches facts of the graph compares it.
  /// [any]
  public var version: Version {
    Version(plan: number, changes: current.withLock { $0.changes })
  }

  /// The state of a plan that settings change.
  struct Current {
    var graph: CheckedGraph
    var controls: [(id: String, control: any NodeControl)]
    /// The number of settings made.
    var changes = 0
  }

  /// A plan with the settings of one moment.
  public struct Version: Equatable, Sendable {
    /// The number of the plan.
    public let plan: Int
    /// The number of settings made in it.
    public let changes: Int
  }

  /// Whether the plan was made with fades of wires, also after they are over. Once `fadesAreOver` returns true, a plan
  /// of the same graph without them may follow.
  public var hasFades: Bool { !fades.isEmpty }

  /// Starts the time of each fade at the first call, and returns whether all fades are over. Call it regularly from
  /// the moment at which the callback runs the plan; `time` is the number of samples run so far. [control]
  public func fadesAreOver(at time: UInt64) -> Bool {
    for fade in fades { fade.begin(at: time) }
    return fades.allSatisfy { $0.isOver(at: time) }
  }

  deinit {
    plan.deinitialize(count: 1)
    plan.deallocate()
  }
}

extension CompiledPlan {
  /// The maximum number of channels of sound that can be tapped at a time.
  public static var mostProbes: Int { SoundProbe.count }

  /// Taps these channels of sound, and no others, from the next cycle on. Returns the tap of each; channels that the
  /// graph does not have, or for which no probe is free, are missing. The first samples of a tap may still be of the
  /// channel that it had before. A reader has to read at least ten times a second, or it loses samples. [any], one
  /// reader for each tap.
  public func look(at channels: [SoundChannel]) -> [SoundChannel: SampleTap] {
    probes.look(at: channels, in: graph)
  }
}
