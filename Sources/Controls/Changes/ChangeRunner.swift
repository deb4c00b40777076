import Engine
public import Graphs
import Realtime

/// What the changes of a graph come to: the two ways in which a show follows. [control]
public protocol ChangeEffects: AnyObject {
  /// Gives nodes, by their places, the settings that they have in a graph which is otherwise the one that runs, all in one
  /// frame: that in which the command of a number acts, where there is one. Gives those that have them; the others ask for
  /// `change`.
  func set(_ nodes: [Int], as graph: CheckedGraph, at number: Int64?) -> Set<Int>
  /// Runs another graph, crossfading for so many seconds; nil: as short as does not click. Throws why it cannot run: the
  /// graph that runs stays.
  func change(to graph: CheckedGraph, fade seconds: Double?) throws(ControlError)
}

/// Carries out what a show is asked for and what changes its graph, live and offline: settings, fades, scenes, cues. It
/// keeps the graph that runs and what was set in it. [control]
public final class ChangeRunner {
  /// What a runner leaves to others; each does nothing unless it is given. [control]
  public struct Events {
    /// Whether the show ends: what is left is given up.
    public var isEnding: () -> Bool = { false }
    /// Takes a line of what was done.
    public var note: (String) -> Void = { _ in }
    /// Takes the path of a fade that ends because a step of it is refused. [any]
    public var fadeEnded: @Sendable (_ path: String, ControlError) -> Void = { _, _ in }
    /// Takes why a cue that follows by itself is refused. [any]
    public var cueRefused: GraphChange.Refusal = { _ in }
    /// Sends other programs the messages of a cue.
    public var send: (_ messages: [OutsideMessage], _ refused: @escaping GraphChange.Refusal) -> Void = {
      _, _ in
    }
    /// Takes what concerns the file of the graph, or the run: reload, load, save, quit.
    public var other: (GraphChange) -> Void = { _ in }

    /// None.
    public init() {}
  }

  /// The graph that runs, with what has been set in it.
  public private(set) var graph: CheckedGraph
  /// What has been set since its text was read.
  public private(set) var overrides: SettingOverrides
  /// Set before the first change.
  public var events = Events()
  private let router: CommandRouter
  private let folders: AllowedFolders
  private let effects: any ChangeEffects

  /// Begins with a graph and what is set in it; `router` has its fades, scenes and cues, and `folders` say where files may
  /// lie that cues name.
  public init(
    _ graph: CheckedGraph, _ overrides: SettingOverrides, router: CommandRouter, folders: AllowedFolders,
    effects: any ChangeEffects
  ) {
    (self.graph, self.overrides) = (graph, overrides)
    (self.router, self.folders, self.effects) = (router, folders, effects)
  }

  /// Carries out changes in their order, settings that come together as one change, the steps of fades that are due with
  /// the last ones. `number` is that of the command that asks for them, within the gate that it passes.
  public func carryOut(_ changes: [GraphChange], as number: Int64? = nil) {
    var settings: [GraphChange] = []
    for change in changes {
      if events.isEnding() { return }
      switch change.command.route {
      case .setting: settings.append(change)
      case .steps:
        set(settings, as: number)
        settings = []
        take(change, as: number)
      case .file:
        set(settings, as: number)
        settings = []
        events.other(change)
      case .end: events.other(change)
      case .atOnce: break
      }
    }
    set(settings, as: number, isLast: true)
  }

  /// Goes to the cues whose time has come by itself.
  public func followCues(as number: Int64? = nil) {
    for _ in 0..<CueProgress.mostAtOnce {
      guard let due = router.takeDueCue(refused: events.cueRefused) else { return }
      carryOut([due], as: number)
    }
  }

  /// Makes settings, and begins those that take time; the last ones together with what is due of those that run.
  private func set(_ settings: [GraphChange], as number: Int64?, isLast: Bool = false) {
    var changes = router.fades.begin(settings, in: graph)
    let paths = Set(changes.compactMap(\.command.settingPath))
    if isLast { changes += router.fades.steps(besides: paths, refused: events.fadeEnded) }
    guard !changes.isEmpty else { return }
    let made = make(changes, as: number)
    // A setting made at once ends its fade; one that was refused changes nothing.
    router.fades.end(made.intersection(paths))
  }

  /// Goes to a scene or to a cue: what can fade begins to, all else is there in the same frame.
  private func take(_ change: GraphChange, as number: Int64?) {
    let steps = overrides.steps(of: change, in: graph, router, router.show, folders)
    set(steps.settings, as: number)
    for line in steps.notes { events.note(line) }
    events.send(steps.outside, change.refused)
    guard let number else {
      for command in steps.commands { router.perform(command, withFrame: true, refused: change.refused) }
      return
    }
    // They belong to the same command, and act with it; only what a score may hold has a place there.
    for command in steps.commands where command.isOfScore {
      router.perform(command, as: number, refused: change.refused)
    }
    carryOut(router.takeChanges(), as: number)
  }

  /// Makes settings; gives the paths of those that are made. What comes live is recorded where a recording runs.
  private func make(_ changes: [GraphChange], as number: Int64?) -> Set<String> {
    guard number == nil, let gated = router.gated else {
      return make(changes) { effects.set($0.map(\.node), as: $1, at: number) }
    }
    var made: Set<String> = []
    gated.change(of: router.show) {
      var passed: Set<String> = []
      made = make(changes) { nodes, new in
        gated.timing.gate.perform { number in
          let set = effects.set(nodes.map(\.node), as: new, at: number)
          let settings = nodes.filter { set.contains($0.node) }.flatMap(\.settings)
          passed.formUnion(settings.map(\.target))
          gated.pass(settings, number)
          return set
        }
      }
      let overrides = overrides.overrides
      return made.subtracting(passed).compactMap { path in overrides.last { $0.target == path } }
    }
    return made
  }

  private func make(
    _ changes: [GraphChange], set: ([SettingOverrides.NodeChange], CheckedGraph) -> Set<Int>
  ) -> Set<String> {
    overrides.carryOut(
      changes, in: graph,
      set: { nodes, new in
        let set = events.isEnding() ? [] : set(nodes, new)
        for node in set { graph.nodes[node] = new.nodes[node] }
        return set
      },
      while: { !events.isEnding() }
    ) { new throws(ControlError) in
      try change(to: new)
    }
  }
}

/// How the graph as a whole is replaced: read again, loaded, restored. [control]
extension ChangeRunner {
  /// What came of reading the graph again.
  public struct Reading {
    /// The graph, or its faults.
    public let checked: CheckResult
    /// What it no longer takes of what was set.
    public let lost: [String]
    fileprivate let overrides: SettingOverrides
  }

  /// Runs another graph with what is set. Throws why it cannot run: the graph that runs stays.
  public func change(to new: CheckedGraph, fade seconds: Double? = nil) throws(ControlError) {
    try effects.change(to: new, fade: seconds)
    graph = new
  }

  /// Begins the show: in the scene that it was restored in, else in that which the graph starts in; at a cue, after which
  /// the next may come by itself, else before the first.
  public func begin(at cue: CueNumber? = nil, followsOn: Bool = false) {
    if overrides.scene == nil { overrides.take([], of: graph.main) }
    router.scenes.begin(overrides.scene)
    router.cues.place(at: cue, follows: followsOn, in: graph)
  }

  /// Takes what was set in an earlier run, and the scene that it was in, before there is a plan; where the graph has faults
  /// with that, nothing is set.
  public func restore(
    _ settings: [Override], in scene: String?, _ read: ([Override]) -> CheckResult
  ) -> Reading {
    overrides.restore(settings)
    let (checked, lost) = overrides.read(in: scene, read)
    if let new = checked.graph {
      graph = new
    } else {
      overrides.restore([])
      overrides.take([], of: nil)
    }
    return Reading(checked: checked, lost: lost, overrides: overrides)
  }

  /// Reads the graph again with what was set, in the scene that the show is in; nothing changes yet.
  public func read(_ read: ([Override]) -> CheckResult) -> Reading {
    var overrides = overrides
    let (checked, lost) = overrides.read(in: router.scenes.now?.name, moving: router.fades.isMoving, read)
    return Reading(checked: checked, lost: lost, overrides: overrides)
  }

  /// The graph that was read runs: what was set in it is what it took.
  public func take(_ reading: Reading) {
    overrides = reading.overrides
    overrides.reload(reading.checked.source)
    router.cues.renew(in: graph)
  }

  /// Goes on in the scene that ran before the graph was read again, where it still has it; else in the one that the graph
  /// starts in, in the time that was left.
  public func keep(_ before: SceneProgress.Fact?) {
    let scene = overrides.scene.flatMap { graph.scene(.named($0), from: nil) }
    router.fades.endOfScenes(besides: scene?.settings.map(\.path) ?? [])
    guard let scene else { return router.scenes.begin(nil) }
    let left = before?.left ?? 0
    if before?.name != scene.name { router.scenes.begin(scene.name, seconds: left) }
    // What is on its way may lead elsewhere by now: to what the scene has become, or to the one that the graph starts in
    // where it is gone.
    guard left > 0 else { return }
    set(overrides.lead(to: scene, seconds: left, in: graph, router.fades) { _ in }, as: nil)
  }

  /// Another graph runs than was read last: nothing is set in it, and no cue has been gone to.
  public func load(_ source: SourceText) {
    overrides.load(source)
    router.fades.endAll()
    overrides.take([], of: graph.main)
    router.scenes.begin(graph.main)
    router.cues.place(at: nil, follows: false, in: graph)
  }

  /// What was written into the file of the graph is of the file from now on.
  public func save(_ result: SettingWriter.Result) { overrides.save(result) }
}
