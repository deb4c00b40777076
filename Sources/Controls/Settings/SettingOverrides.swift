public import Graphs

/// The text of the graph that runs, and what has been set in it since: survives reloads as `--set` does. [control]
public struct SettingOverrides: Sendable {
  /// The most settings that are remembered.
  public static let most = 1000

  let checker: Checker
  /// The graph as it was read.
  public private(set) var source: SourceText
  /// What the command line sets.
  public private(set) var given: [Override]
  private var made: [Override] = []
  /// The paths among them that belong to the scene.
  private(set) var ofScene: Set<String> = []
  /// The scene that the show is in; nil: none.
  public private(set) var scene: String?

  /// The paths that the scene has set, and nobody since.
  var owned: [String] { ofScene.sorted() }

  /// Nothing set yet.
  public init(_ checker: Checker, _ source: SourceText, given: [Override]) {
    self.checker = checker
    self.source = source
    self.given = given
  }

  /// All that is set, the newest last.
  public var overrides: [Override] { given + made }

  /// What was set since the graph was read, oldest first.
  public var live: [Override] { made.filter { !ofScene.contains($0.target) } }

  /// Takes what was set in an earlier run of the graph.
  public mutating func restore(_ overrides: [Override]) {
    (made, ofScene) = (Array(overrides.suffix(Self.most)), [])
  }

  /// The text of the graph with what was set written into it, in the scene where that sets it, and what there is no place
  /// for.
  public func written() -> SettingWriter.Result {
    SettingWriter(checker, given: given).write(live, into: source, scene: scene)
  }

  /// What was written is of the file from now on.
  public mutating func save(_ result: SettingWriter.Result) {
    source = result.source
    made.removeAll { result.written.contains($0.target) }
  }

  /// The graph was read again, with what was set.
  public mutating func reload(_ source: SourceText) { self.source = source }

  /// Another graph runs: nothing is set in it.
  public mutating func load(_ source: SourceText) {
    (self.source, given, made) = (source, [], [])
    (ofScene, scene) = ([], nil)
  }

  /// Forgets settings that the graph file, as it is now, does not take any more; gives their paths.
  public mutating func forget(faulty checked: CheckResult) -> [String] {
    let places = Set(checked.faults.compactMap { $0.mark?.option })
    return forget(made.filter { places.contains("--set \($0.target)") }.map(\.target))
  }

  /// Forgets settings by their paths, which it gives.
  public mutating func forget(_ paths: [String]) -> [String] {
    made.removeAll { paths.contains($0.target) }
    ofScene.subtract(paths)
    return paths
  }

  /// What a node is to be set to as it runs.
  public struct NodeChange: Sendable {
    /// The node, by its place in the graph.
    public let node: Int
    /// In the order in which they were asked for.
    public let settings: [Override]
  }

  /// Carries out changes of settings: those that are at fault are refused, the others run together as one change.
  ///
  /// A wrong message changes nothing, so it must not swallow a right one either: where a value is refused the newest value
  /// before it takes its place. Which ones are at fault the check says, without running any.
  ///
  /// - Parameters:
  ///   - changes: commands that set settings, one for each path.
  ///   - graph: the graph that runs.
  ///   - set: gives nodes the settings that they have in a graph which is otherwise the one that runs, all in one frame;
  ///     those that it does not return ask for a run of the graph.
  ///   - isWanted: asked between checks and runs; once it says no, what is left is given up.
  ///   - run: changes to a graph; what it throws is the reason why it cannot run.
  /// - Returns: the paths that have been set.
  @discardableResult
  public mutating func carryOut(
    _ changes: [GraphChange], in graph: CheckedGraph,
    set: (_ nodes: [NodeChange], _ graph: CheckedGraph) -> Set<Int> = { _, _ in [] },
    while isWanted: () -> Bool = { true }, _ run: (CheckedGraph) throws(ControlError) -> Void
  ) -> Set<String> {
    var changed = graph
    // Each with its place among the changes.
    var live: [Int: [(place: Int, request: Request)]] = [:]
    var (rest, restNodes) = ([(place: Int, request: Request)](), Set<Substring>())
    let known = Set(self.live.map(\.target))
    var room = Self.most - known.count
    for (place, change) in changes.enumerated() {
      guard let request = Request(change, in: graph) else { continue }
      let target = request.override.target
      let node = Substring(target.utf8.prefix { $0 != UInt8(ascii: ".") })
      let isKnown = known.contains(target)
      // What comes after one that only a check can carry out waits for it, where it is for the same node.
      if !restNodes.contains(node), isKnown || request.isOfScene || room > 0,
        let new = changed.setting(request.override)
      {
        changed = new.graph
        live[new.node, default: []].append((place, request))
        room -= isKnown || request.isOfScene ? 0 : 1
      } else {
        rest.append((place, request))
        restNodes.insert(node)
      }
    }
    let nodes = live.keys.sorted()
    let asked = nodes.map { node in
      NodeChange(node: node, settings: live[node, default: []].map(\.request.override))
    }
    let set = asked.isEmpty ? [] : set(asked, changed)
    var done: [Request] = []
    for node in nodes {
      let requests = live[node] ?? []
      if set.contains(node) { done += requests.map(\.request) } else { rest += requests }
    }
    remember(done)
    guard !rest.isEmpty else { return Set(done.map(\.override.target)) }
    let ordered = rest.sorted { $0.place < $1.place }.map(\.request)
    return Set(done.map(\.override.target)).union(carryOut(ordered, in: graph, while: isWanted, run))
  }

  /// The show is in a scene, which owns what it sets, however it was set before; or in none.
  mutating func begin(_ scene: String?, owning paths: Set<String>) {
    self.scene = scene
    ofScene.formUnion(made.map(\.target).filter(paths.contains))
  }

  /// The show is in a scene, or in none, and that sets these and nothing else.
  public mutating func take(_ settings: [Override], of scene: String?) {
    // What was set by hand lies above it.
    made = settings + live
    ofScene = Set(settings.map(\.target))
    self.scene = scene
  }

  /// Keeps settings for reloads, in place of what was set there or within them.
  mutating func remember(_ requests: [Request]) {
    guard !requests.isEmpty else { return }
    made = all(with: requests)
    note(requests)
  }

  /// Notes who has set what is set now.
  private mutating func note(_ requests: [Request]) {
    for request in requests {
      if request.isOfScene {
        ofScene.insert(request.override.target)
      } else {
        ofScene.remove(request.override.target)
      }
    }
    ofScene.formIntersection(made.map(\.target))
  }

  /// Whether an override is of one of some paths, or lies within one.
  private static func lies(_ override: Override, within paths: Set<String>) -> Bool {
    let target = override.target
    if paths.contains(target) { return true }
    // One path is compared faster than prefixes are made; a fade of a scene has hundreds.
    if paths.count < 8 { return paths.contains { SettingTarget.lies(target, within: $0) } }
    return target.utf8.indices.contains {
      target.utf8[$0] == UInt8(ascii: ".") && paths.contains(String(target[..<$0]))
    }
  }

  /// A setting to be made, and what else it may be where that is refused.
  struct Request {
    var override: Override
    /// Whether a scene sets it.
    let isOfScene: Bool
    private var refused: GraphChange.Refusal
    private var earlier: [ShowCommand]

    /// nil when it sets nothing, or neither it nor what came before it has a place in the graph.
    init?(_ change: GraphChange, in graph: CheckedGraph) {
      (refused, earlier, isOfScene) = (change.refused, change.earlier, change.isOfScene)
      override = Override(target: "", value: "")
      do throws(ControlError) {
        guard let override = try SettingOverrides.override(change.command, graph) else { return nil }
        self.override = override
      } catch {
        if !refuse(error, in: graph) { return nil }
      }
    }

    /// Reports why it is refused, and takes the newest value before it; false when there is none.
    mutating func refuse(_ fault: ControlError, in graph: CheckedGraph) -> Bool {
      refused(fault)
      // Of a value that has been replaced nobody waits to hear.
      refused = { _ in }
      while let command = earlier.popLast() {
        if case .some(.some(let override)) = try? SettingOverrides.override(command, graph) {
          self.override = override
          return true
        }
      }
      return false
    }

    func report(_ fault: ControlError) { refused(fault) }
  }

  /// All that is set, with these.
  func all(with requests: [Request]) -> [Override] {
    let paths = Set(requests.map(\.override.target))
    return made.filter { !Self.lies($0, within: paths) } + requests.map(\.override)
  }

  /// The setting that a command sets; nil where it sets none.
  public static func override(
    _ command: ShowCommand, _ graph: CheckedGraph
  ) throws(ControlError) -> Override? {
    switch command {
    case .set(let path, let value, _): return Override(target: path, value: value)
    case .fader(let path, let place, _):
      var parts = path.split(separator: ".", maxSplits: 1).map(String.init)
      guard parts.count == 2, let node = graph.nodes.first(where: { $0.id == parts[0] }) else {
        throw .node(parts.first ?? path, known: graph.nodes.map(\.id))
      }
      if parts[1].hasPrefix("each.") {
        parts[1] = parts[1].split(separator: ".", maxSplits: 2).last.map(String.init) ?? ""
      }
      guard let value = node.type.setting(at: parts[1])?.kind.value(atFader: place) else {
        throw .noRange(path)
      }
      return Override(target: path, value: value)
    default: return nil
    }
  }
}

extension ControlError {
  /// The first fault of a graph that was checked.
  public init(_ checked: CheckResult) {
    self =
      checked.faults.first.map(ControlError.init)
      ?? .graph(code: "faulty", "the graph has faults", notes: [])
  }

  init(_ fault: Diagnostic) { self = .graph(code: fault.code, fault.message, notes: fault.notes) }
}
