public import Graphs

/// The overrides of the running graph, and its text. They survive reloads, as `--set` does. [control]
public struct SettingOverrides: Sendable {
  /// The most overrides that are kept, besides those of the command line.
  public static let most = 1000

  let checker: Checker
  /// The text of the graph as it was read.
  public private(set) var source: SourceText
  /// The overrides of the command line.
  public private(set) var given: [Override]
  private var made: [Override] = []
  /// The paths in `made` that belong to the scene.
  private(set) var ofScene: Set<String> = []
  /// The scene of the show; nil: none.
  public private(set) var scene: String?

  /// The paths that the scene has set and no command since.
  var owned: [String] { ofScene.sorted() }

  /// Has no overrides but those of the command line.
  public init(_ checker: Checker, _ source: SourceText, given: [Override]) {
    self.checker = checker
    self.source = source
    self.given = given
  }

  /// All overrides, the newest last.
  public var overrides: [Override] { given + made }

  /// The overrides by hand since the graph was read, oldest first.
  public var live: [Override] { made.filter { !ofScene.contains($0.target) } }

  /// Restores the overrides of an earlier run of the graph.
  public mutating func restore(_ overrides: [Override]) {
    (made, ofScene) = (Array(overrides.suffix(Self.most)), [])
  }

  /// The text of the graph with the overrides written into it (into the scene, if the scene sets them), and the
  /// overrides that have no place in it.
  public func written() -> SettingWriter.Result {
    SettingWriter(checker, given: given).write(live, into: source, scene: scene)
  }

  /// Takes the text that was written, and removes the overrides that are now part of it.
  public mutating func save(_ result: SettingWriter.Result) {
    source = result.source
    made.removeAll { result.written.contains($0.target) }
  }

  /// Takes the text of a graph that was read again with the overrides.
  public mutating func reload(_ source: SourceText) { self.source = source }

  /// Takes the text of another graph, without overrides.
  public mutating func load(_ source: SourceText) {
    (self.source, given, made) = (source, [], [])
    (ofScene, scene) = ([], nil)
  }

  /// Removes overrides that the graph, as it is now, refuses; returns their paths.
  public mutating func forget(faulty checked: CheckResult) -> [String] {
    let places = Set(checked.faults.compactMap { $0.mark?.option })
    return forget(made.filter { places.contains("--set \($0.target)") }.map(\.target))
  }

  /// Removes overrides by their paths; returns the paths.
  public mutating func forget(_ paths: [String]) -> [String] {
    made.removeAll { paths.contains($0.target) }
    ofScene.subtract(paths)
    return paths
  }

  /// Settings to apply to a node while it runs.
  public struct NodeChange: Sendable {
    /// The node, by its index in the graph.
    public let node: Int
    /// In the order of their commands.
    public let settings: [Override]
  }

  /// Applies changes of settings: refuses those at fault, and applies the others together as one change.
  ///
  /// A refused value must not lose an accepted one that it replaced: the newest earlier value takes its place. The
  /// check finds the faults, without running a plan.
  ///
  /// - Parameters:
  ///   - changes: commands that set settings, one for each path.
  ///   - graph: the running graph.
  ///   - set: applies, in one frame, the settings that nodes have in a graph that otherwise equals the running one;
  ///     nodes that it does not return need a new plan.
  ///   - isWanted: called between checks and plans; false gives up the rest.
  ///   - run: runs a new graph; throws why it cannot.
  /// - Returns: the paths that are set.
  @discardableResult
  public mutating func carryOut(
    _ changes: [GraphChange], in graph: CheckedGraph,
    set: (_ nodes: [NodeChange], _ graph: CheckedGraph) -> Set<Int> = { _, _ in [] },
    while isWanted: () -> Bool = { true }, _ run: (CheckedGraph) throws(ControlError) -> Void
  ) -> Set<String> {
    var changed = graph
    // Each with its index among the changes.
    var live: [Int: [(place: Int, request: Request)]] = [:]
    var (rest, restNodes) = ([(place: Int, request: Request)](), Set<Substring>())
    let known = Set(self.live.map(\.target))
    var room = Self.most - known.count
    for (place, change) in changes.enumerated() {
      guard let request = Request(change, in: graph) else { continue }
      let target = request.override.target
      let node = Substring(target.utf8.prefix { $0 != UInt8(ascii: ".") })
      let isKnown = known.contains(target)
      // A request after one of the same node that needs a check waits for it, so that their order is kept.
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

  /// The show goes to a scene, which from now on owns the settings at `paths`, however they were set before; nil: to
  /// none.
  mutating func begin(_ scene: String?, owning paths: Set<String>) {
    self.scene = scene
    ofScene.formUnion(made.map(\.target).filter(paths.contains))
  }

  /// The show is in a scene, or in none, whose settings are these.
  public mutating func take(_ settings: [Override], of scene: String?) {
    // Settings by hand override it.
    made = settings + live
    ofScene = Set(settings.map(\.target))
    self.scene = scene
  }

  /// Keeps settings as overrides, in place of earlier ones there or within them.
  mutating func remember(_ requests: [Request]) {
    guard !requests.isEmpty else { return }
    made = all(with: requests)
    note(requests)
  }

  /// Notes which settings belong to the scene now.
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

  /// Whether an override has one of some paths, or lies within one.
  private static func lies(_ override: Override, within paths: Set<String>) -> Bool {
    let target = override.target
    if paths.contains(target) { return true }
    // Comparing one path is faster than building prefixes; a fade of a scene has hundreds of paths.
    if paths.count < 8 { return paths.contains { SettingTarget.lies(target, within: $0) } }
    return target.utf8.indices.contains {
      target.utf8[$0] == UInt8(ascii: ".") && paths.contains(String(target[..<$0]))
    }
  }

  /// A setting to apply, with the earlier values that take its place if it is refused.
  struct Request {
    var override: Override
    /// Whether a scene sets it.
    let isOfScene: Bool
    private var refused: GraphChange.Refusal
    private var earlier: [ShowCommand]

    /// Nil if the command sets nothing, or neither it nor an earlier one fits the graph.
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

    /// Reports the refusal, and takes the newest earlier value in its place; false: there is none.
    mutating func refuse(_ fault: ControlError, in graph: CheckedGraph) -> Bool {
      refused(fault)
      // The sender of an earlier value was answered when that was replaced.
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

  /// `made` with requests added, in place of what they cover.
  func all(with requests: [Request]) -> [Override] {
    let paths = Set(requests.map(\.override.target))
    return made.filter { !Self.lies($0, within: paths) } + requests.map(\.override)
  }

  /// The override that a command makes; nil: it sets nothing.
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
  /// The first fault of a checked graph.
  public init(_ checked: CheckResult) {
    self =
      checked.faults.first.map(ControlError.init)
      ?? .graph(code: "faulty", "the graph has faults", notes: [])
  }

  init(_ fault: Diagnostic) { self = .graph(code: fault.code, fault.message, notes: fault.notes) }
}
