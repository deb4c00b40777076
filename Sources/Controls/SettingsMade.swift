public import Graphs

/// The text of the graph that runs, and what has been set in it since: survives reloads as `--set` does. [control]
public struct SettingsMade: Sendable {
  /// The most settings that are remembered.
  public static let most = 1000

  private let checker: Checker
  /// The graph as it was read.
  public private(set) var source: SourceText
  /// What the command line sets.
  public private(set) var given: [Override]
  private var made: [Override] = []

  /// Nothing set yet.
  public init(_ checker: Checker, _ source: SourceText, given: [Override]) {
    self.checker = checker
    self.source = source
    self.given = given
  }

  /// All that is set, the newest last.
  public var overrides: [Override] { given + made }

  /// The graph was read again, with what was set.
  public mutating func reload(_ source: SourceText) { self.source = source }

  /// Another graph runs: nothing is set in it.
  public mutating func load(_ source: SourceText) { (self.source, given, made) = (source, [], []) }

  /// Forgets settings that the graph file, as it is now, does not take any more; gives their paths.
  public mutating func forget(faulty checked: Checked) -> [String] {
    let places = Set(checked.faults.compactMap { $0.mark?.option })
    let lost = made.filter { places.contains("--set \($0.target)") }.map(\.target)
    made.removeAll { lost.contains($0.target) }
    return lost
  }

  /// Carries out changes of settings: those that are at fault are refused, the others run together.
  ///
  /// - Parameters:
  ///   - changes: commands that set settings, one for each path.
  ///   - graph: the graph that runs.
  ///   - run: changes to a graph; what it throws is the reason why it cannot run.
  public mutating func carryOut(
    _ changes: [Desk.Change], in graph: CheckedGraph, _ run: (CheckedGraph) throws(ControlFault) -> Void
  ) {
    var good: [(change: Desk.Change, override: Override)] = []
    for change in changes {
      do throws(ControlFault) {
        if let override = try Self.override(change.command, graph) { good.append((change, override)) }
      } catch {
        refuse(change, error, in: graph, run)
      }
    }
    guard !good.isEmpty else { return }
    do throws(ControlFault) {
      try carryOut(good.map(\.override), run)
    } catch {
      guard good.count > 1 else { return refuse(good[0].change, error, in: graph, run) }
      // One of them is at fault: each by itself.
      for (change, override) in good {
        do throws(ControlFault) { try carryOut([override], run) } catch {
          refuse(change, error, in: graph, run)
        }
      }
    }
  }

  /// Refuses a change, and carries out the newest value before it that can be: a wrong message changes nothing, so it
  /// must not swallow a right one either.
  private mutating func refuse(
    _ change: Desk.Change, _ fault: ControlFault, in graph: CheckedGraph,
    _ run: (CheckedGraph) throws(ControlFault) -> Void
  ) {
    change.refused(fault)
    for command in change.earlier.reversed() {
      do throws(ControlFault) {
        guard let override = try Self.override(command, graph) else { continue }
        return try carryOut([override], run)
      } catch { continue }
    }
  }

  private mutating func carryOut(
    _ new: [Override], _ run: (CheckedGraph) throws(ControlFault) -> Void
  ) throws(ControlFault) {
    let paths = Set(new.map(\.target))
    let all = made.filter { !paths.contains($0.target) } + new
    guard all.count <= Self.most else {
      throw .tooMuch("more than \(Self.most) settings have been set; load the graph anew to forget them")
    }
    let checked = checker.check(source, overrides: given + all)
    guard let graph = checked.graph else { throw ControlFault(checked) }
    try run(graph)
    made = all
  }

  private static func override(
    _ command: ShowCommand, _ graph: CheckedGraph
  ) throws(ControlFault) -> Override? {
    switch command {
    case .set(let path, let value): return Override(target: path, value: value)
    case .fader(let path, let place):
      var parts = path.split(separator: ".", maxSplits: 1).map(String.init)
      guard parts.count == 2, let node = graph.nodes.first(where: { $0.id == parts[0] }) else {
        throw .node(parts.first ?? path, known: graph.nodes.map(\.id))
      }
      if parts[1].hasPrefix("each.") {
        parts[1] = parts[1].split(separator: ".", maxSplits: 2).last.map(String.init) ?? ""
      }
      guard let value = node.type.setting(at: parts[1])?.kind.written(atFader: place) else {
        throw .noRange(path)
      }
      return Override(target: path, value: value)
    default: return nil
    }
  }
}

extension ControlFault {
  /// The first fault of a graph that was checked.
  public init(_ checked: Checked) {
    let fault = checked.faults.first
    self = .graph(
      code: fault?.code ?? "faulty", fault?.sentence ?? "the graph has faults", notes: fault?.notes ?? [])
  }
}
