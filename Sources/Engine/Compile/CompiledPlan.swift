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
  /// The graph it was made from, with what has been set since, and how often something was.
  let current: Locked<Current>
  /// Its audio half, with the nodes of the graph before that still fade. [control]
  var nodes: [AudioNode?]
  /// How each node was made. [control]
  var running: [RunningNode]
  /// Which plan it is of all that this program has made: the place of one that is gone in memory may be another's.
  public let number = CompiledPlan.made.add(1, ordering: .relaxed).newValue
  private static let made = Atomic<Int>(0)
  /// What the callback runs.
  public let plan: UnsafeMutablePointer<Plan>
  /// What the frame thread runs.
  public let frames: FramePlan
  /// The host's ports it uses.
  public let ports: [HostPort]
  /// What moves in pictures, and what shows it.
  let pictures: PlanPictures
  /// How scenes look where nothing plays.
  let looks: PlanLooks
  /// What delivers samples to it.
  public let streams: [any StreamedSource]
  /// What every node keeps for the next plan, by key.
  let kept: [String: [AnyObject]]
  /// Where its buffers lie; the next plan may use them again.
  let samples: BufferMemory
  private let fades: [FadingWire]
  /// Where its sound is looked at.
  let probes: SoundProbes
  /// What nodes share, by name.
  let shared: [String: AnyObject]
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
    samples = audio.samples
    fades = draft.fades
    probes = SoundProbes(plan, ops: audio.opOfNode)
    shared = draft.shared.all
    memory = draft.memory
  }

  /// What moves in pictures, in the order of the file, which is the order of drawing.
  public var scene: [any SceneNode] { pictures.nodes }
  /// What comes after all of that in a frame; nil: nothing.
  public var sceneEnd: (any SceneNode)? { pictures.end }

  /// Lets all that moves in pictures go on by the frames that were left for it, and shows it. [scene]
  package func advanceScene() {
    for node in pictures.nodes { node.advance() }
    pictures.end?.advance()
    for node in pictures.shown { node.show() }
  }

  /// What its nodes have kept of those of the plan before, each and together.
  var keptObjects: Set<ObjectIdentifier> {
    Set((Array(kept.values.joined()) + shared.values).map(ObjectIdentifier.init))
  }

  /// The graph that it runs: the one it was made from, with what has been set since. [any]
  public var graph: CheckedGraph { current.withLock { $0.graph } }

  /// What can be asked of its nodes, with their ids, in the order of the file. [any]
  public var controls: [(id: String, control: any NodeControl)] { current.withLock { $0.controls } }

  /// Which plan it is, and which settings it has: code that keeps what follows from its graph finds out by this that it has
  /// changed. [any]
  public var version: Version {
    Version(plan: number, changes: current.withLock { $0.changes })
  }

  /// What settings change in a plan.
  struct Current {
    var graph: CheckedGraph
    var controls: [(id: String, control: any NodeControl)]
    /// How many settings have been made.
    var changes = 0
  }

  /// A plan at one moment.
  public struct Version: Equatable, Sendable {
    /// The number of the plan.
    public let plan: Int
    /// How many settings have been made in it.
    public let changes: Int
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

extension CompiledPlan {
  /// How many channels of sound can be looked at, at one time.
  public static var mostProbes: Int { SoundProbe.count }

  /// Looks at these channels of sound, and at no others, from the next cycle on; gives for each the samples that come.
  /// Missing are those that the graph does not have, and those that are too many. What comes first out of a tap may still
  /// be of the channel that it was of before. A reader takes its samples at least ten times a second, or loses some.
  /// [any], one reader for each tap.
  public func look(at channels: [SoundChannel]) -> [SoundChannel: SampleTap] {
    probes.look(at: channels, in: graph)
  }
}
