import Engine
public import Graphs
import Realtime

/// Applies changes of the graph to a show, live or offline: as settings of the running plan, or as a new plan.
/// [control]
public protocol ChangeEffects: AnyObject {
  /// Applies the settings that `nodes`, by their indices, have in `graph`, which otherwise equals the running graph,
  /// all in one frame: that of the command `number` where there is one. Returns the nodes that took their settings; the
  /// others need `change`.
  func set(_ nodes: [Int], as graph: CheckedGraph, at number: Int64?) -> Set<Int>
  /// Runs another graph after a crossfade of `seconds`; nil: the shortest without a click. Throws why it cannot run;
  /// the running graph then stays.
  func change(to graph: CheckedGraph, fade seconds: Double?) throws(ControlError)
}

/// Carries out the commands that change the graph, the same live and offline: settings, fades, scenes, cues. Owns the
/// running graph and its overrides. [control]
public final class ChangeRunner {
  /// Callbacks for what a runner does not do itself; the defaults do nothing. [control]
  public struct Events {
    /// Whether the show ends: the runner then drops all further changes.
    public var isEnding: () -> Bool = { false }
    /// Takes a line that says what was done.
    public var note: (String) -> Void = { _ in }
    /// Takes the path of a fade that ends because one of its steps is refused. [any]
    public var fadeEnded: @Sendable (_ path: String, ControlError) -> Void = { _, _ in }
    /// Takes the reason why a follow-on cue is refused. [any]
    public var cueRefused: GraphChange.Refusal = { _ in }
    /// Sends the messages of a cue to other programs.
    public var send: (_ messages: [OutsideMessage], _ refused: @escaping GraphChange.Refusal) -> Void = {
      _, _ in
    }
    /// Takes the commands that concern the graph file or the run: reload, load, save, quit.
    public var other: (GraphChange) -> Void = { _ in }

    /// Creates callbacks that do nothing.
    public init() {}
  }

  /// The running graph, with its overrides.
  public private(set) var graph: CheckedGraph
  /// The settings that were changed since the graph file was read.
  public private(set) var overrides: SettingOverrides
  /// The callbacks; set before the first change.
  public var events = Events()
  /// Whether it was reported that commands of cues are left out offline.
  private var hasLeftOut = false
  private let router: CommandRouter
  private let folders: AllowedFolders
  private let effects: any ChangeEffects

  /// Begins with a graph and its overrides. `router` owns the fades, scenes and cues; files that cues name must lie in
  /// `folders`.
  public init(
    _ graph: CheckedGraph, _ overrides: SettingOverrides, router: CommandRouter, folders: AllowedFolders,
    effects: any ChangeEffects
  ) {
    (self.graph, self.overrides) = (graph, overrides)
    (self.router, self.folders, self.effects) = (router, folders, effects)
  }

  /// Carries out `changes` in order. Consecutive settings become one change, the last ones together with the steps of
  /// fades that are due. `number` is that of the command in the command gate; nil: it has none.
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

  /// Goes to the cues whose follow-on time has come.
  public func followCues(as number: Int64? = nil) {
    for _ in 0..<CueProgress.mostAtOnce {
      guard let due = router.takeDueCue(refused: events.cueRefused) else { return }
      carryOut([due], as: number)
    }
  }

  /// Applies settings, or begins their fades; `isLast` also applies the steps of running fades that are due.
  private func set(_ settings: [GraphChange], as number: Int64?, isLast: Bool = false) {
    var changes = router.fades.begin(settings, in: graph)
    let paths = Set(changes.compactMap(\.command.settingPath))
    if isLast { changes += router.fades.steps(besides: paths, refused: events.fadeEnded) }
    guard !changes.isEmpty else { return }
    let made = make(changes, as: number)
    // A setting made at once ends its fade; one that was refused changes nothing.
    router.fades.end(made.intersection(paths))
  }

  /// Goes to a scene or a cue: settings that can fade begin to, the others change in the same frame.
  private func take(_ change: GraphChange, as number: Int64?) {
    let steps = overrides.steps(of: change, in: graph, router, router.show, folders)
    set(steps.settings, as: number)
    for line in steps.notes { events.note(line) }
    events.send(steps.outside, change.refused)
    guard let number else {
      for command in steps.commands { router.perform(command, withFrame: true, refused: change.refused) }
      return
    }
    // These commands act with the command `number`, so only those that a score may hold are performed. Offline a run has
    // no graph file to read, load or save.
    for command in steps.commands {
      if command.isOfScore {
        router.perform(command, as: number, refused: change.refused)
      } else if !hasLeftOut {
        hasLeftOut = true
        change.refused(.notOfOfflineCue)
      }
    }
    carryOut(router.takeChanges(), as: number)
  }

  /// Applies settings; returns the paths of those that were applied. Records live changes while a recording runs.
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

/// Replaces the graph as a whole: reload, load, restore. [control]
extension ChangeRunner {
  /// The result of reading the graph again.
  public struct Reading {
    /// The graph, or its faults.
    public let checked: CheckResult
    /// The overrides that the graph no longer takes.
    public let lost: [String]
    fileprivate let overrides: SettingOverrides
  }

  /// Runs another graph, which has the overrides. Throws why it cannot run; the running graph then stays.
  public func change(to new: CheckedGraph, fade seconds: Double? = nil) throws(ControlError) {
    try effects.change(to: new, fade: seconds)
    graph = new
  }

  /// Begins the show in the restored scene, or else in the scene in which the graph starts. With `cue` the show stands
  /// at that cue, and `followsOn` says whether its follow-on may come; without, it stands before the first cue.
  public func begin(at cue: CueNumber? = nil, followsOn: Bool = false) {
    if overrides.scene == nil { overrides.take([], of: graph.main) }
    router.scenes.begin(overrides.scene)
    router.cues.restore(at: cue, follows: followsOn, in: graph)
  }

  /// Restores the overrides and the scene of an earlier run, before there is a plan. If the graph has faults with them,
  /// nothing is restored.
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

  /// Reads the graph again with its overrides, in the current scene; changes nothing yet.
  public func read(_ read: ([Override]) -> CheckResult) -> Reading {
    var overrides = overrides
    let (checked, lost) = overrides.read(in: router.scenes.now?.name, moving: router.fades.isMoving, read)
    return Reading(checked: checked, lost: lost, overrides: overrides)
  }

  /// Takes over a reading whose graph runs now, with the overrides that it accepted.
  public func take(_ reading: Reading) {
    overrides = reading.overrides
    overrides.reload(reading.checked.source)
    router.cues.renew(in: graph)
  }

  /// After a reload, stays in the scene that ran before, if the graph still has it, or else goes to the scene in which
  /// the graph starts. A scene that was still fading keeps the time that it had left.
  public func keep(_ before: SceneProgress.Fact?) {
    let scene = overrides.scene.flatMap { graph.scene(.named($0), from: nil) }
    router.fades.endOfScenes(besides: scene?.settings.map(\.path) ?? [])
    guard let scene else { return router.scenes.begin(nil) }
    let left = before?.left ?? 0
    if before?.name != scene.name { router.scenes.begin(scene.name, seconds: left) }
    // The new text may give the scene other values, or the scene may be gone: running fades move to the new values.
    guard left > 0 else { return }
    set(overrides.lead(to: scene, seconds: left, in: graph, router.fades) { _ in }, as: nil)
  }

  /// Takes over a graph that was loaded in place of another: without overrides, before the first cue.
  public func load(_ source: SourceText) {
    overrides.load(source)
    router.fades.endAll()
    overrides.take([], of: graph.main)
    router.scenes.begin(graph.main)
    router.cues.restore(at: nil, follows: false, in: graph)
  }

  /// Takes the result of writing overrides into the graph file: the file states them from now on.
  public func save(_ result: SettingWriter.Result) { overrides.save(result) }
}
