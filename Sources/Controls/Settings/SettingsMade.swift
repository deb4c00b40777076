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

  /// Carries out changes of settings: those that are at fault are refused, the others run together as one change.
  ///
  /// A wrong message changes nothing, so it must not swallow a right one either: where a value is refused the newest value
  /// before it takes its place. Which ones are at fault the check says, without running any.
  ///
  /// - Parameters:
  ///   - changes: commands that set settings, one for each path.
  ///   - graph: the graph that runs.
  ///   - set: gives a node the settings that it has in a graph which is otherwise the one that runs; false where that asks
  ///     for a run of the graph.
  ///   - isWanted: asked between checks and runs; once it says no, what is left is given up.
  ///   - run: changes to a graph; what it throws is the reason why it cannot run.
  /// - Returns: the paths that have been set.
  @discardableResult
  public mutating func carryOut(
    _ changes: [Desk.Change], in graph: CheckedGraph,
    set: (_ node: Int, _ graph: CheckedGraph) -> Bool = { _, _ in false },
    while isWanted: () -> Bool = { true }, _ run: (CheckedGraph) throws(ControlFault) -> Void
  ) -> Set<String> {
    var (graph, done) = (graph, Set<String>())
    var wishes: [Wish] = []
    for change in changes {
      guard let wish = Wish(change, in: graph) else { continue }
      if hasRoom(for: wish.override), let new = graph.setting(wish.override), set(new.node, new.graph) {
        remember(wish.override)
        graph = new.graph
        done.insert(wish.override.target)
      } else {
        wishes.append(wish)
      }
    }
    return done.union(carryOut(wishes, in: graph, while: isWanted, run))
  }

  private func hasRoom(for override: Override) -> Bool {
    made.count < Self.most || made.contains { $0.target == override.target }
  }

  /// Keeps a setting for reloads.
  private mutating func remember(_ override: Override) {
    made.removeAll { $0.target == override.target }
    made.append(override)
  }

  /// Carries out what only a check of the whole graph can.
  private mutating func carryOut(
    _ wishes: [Wish], in graph: CheckedGraph, while isWanted: () -> Bool,
    _ run: (CheckedGraph) throws(ControlFault) -> Void
  ) -> Set<String> {
    var wishes = wishes
    drop(&wishes)
    while !wishes.isEmpty, isWanted() {
      let checked = check(wishes)
      if let new = checked.graph { return finish(wishes, new, in: graph, while: isWanted, run) }
      let faults = faults(of: wishes, checked, while: isWanted)
      if faults.allSatisfy({ $0 == nil }) {
        // Each is right by itself, and some do not go together.
        return halve(wishes, ControlFault(checked), in: graph, while: isWanted, run)
      }
      wishes = zip(wishes, faults).compactMap { wish, fault in
        var wish = wish
        if let fault, !wish.refuse(fault, in: graph) { return nil }
        return wish
      }
    }
    return []
  }

  /// A setting to be made, and what else it may be where that is refused.
  private struct Wish {
    var override: Override
    private var refused: Desk.Refusal
    private var earlier: [ShowCommand]

    /// nil when it sets nothing, or neither it nor what came before it has a place in the graph.
    init?(_ change: Desk.Change, in graph: CheckedGraph) {
      (refused, earlier) = (change.refused, change.earlier)
      override = Override(target: "", value: "")
      do throws(ControlFault) {
        guard let override = try SettingsMade.override(change.command, graph) else { return nil }
        self.override = override
      } catch {
        if !refuse(error, in: graph) { return nil }
      }
    }

    /// Tells why it is refused, and takes the newest value before it; false when there is none.
    mutating func refuse(_ fault: ControlFault, in graph: CheckedGraph) -> Bool {
      refused(fault)
      // Of a value that has been replaced nobody waits to hear.
      refused = { _ in }
      while let command = earlier.popLast() {
        if case .some(.some(let override)) = try? SettingsMade.override(command, graph) {
          self.override = override
          return true
        }
      }
      return false
    }

    func tell(_ fault: ControlFault) { refused(fault) }
  }

  /// All that is set, with these.
  private func all(with wishes: [Wish]) -> [Override] {
    let paths = Set(wishes.map(\.override.target))
    return made.filter { !paths.contains($0.target) } + wishes.map(\.override)
  }

  private func check(_ wishes: [Wish]) -> Checked {
    checker.check(source, overrides: given + all(with: wishes))
  }

  /// Refuses what is more than is remembered, the last ones first.
  private func drop(_ wishes: inout [Wish]) {
    let known = Set(made.map(\.target))
    while all(with: wishes).count > Self.most,
      let last = wishes.lastIndex(where: { !known.contains($0.override.target) })
    {
      wishes.remove(at: last).tell(
        .tooMuch("more than \(Self.most) settings have been set; load the graph anew to forget them"))
    }
  }

  /// For each wish why it is at fault; nil where it is not.
  private func faults(of wishes: [Wish], _ checked: Checked, while isWanted: () -> Bool) -> [ControlFault?] {
    if wishes.count == 1 { return [ControlFault(checked)] }
    let told = wishes.map { wish in
      checked.faults.first { $0.mark?.option == "--set \(wish.override.target)" }.map(ControlFault.init)
    }
    if told.contains(where: { $0 != nil }) { return told }
    // The fault shows elsewhere in the graph.
    return wishes.map { wish in
      guard isWanted() else { return nil }
      let alone = check([wish])
      return alone.graph == nil ? ControlFault(alone) : nil
    }
  }

  /// Runs a graph with all wishes; where it cannot run, those run that can.
  private mutating func finish(
    _ wishes: [Wish], _ new: CheckedGraph, in graph: CheckedGraph, while isWanted: () -> Bool,
    _ run: (CheckedGraph) throws(ControlFault) -> Void
  ) -> Set<String> {
    do throws(ControlFault) {
      try run(new)
      made = all(with: wishes)
      return Set(wishes.map(\.override.target))
    } catch {
      return halve(wishes, error, in: graph, while: isWanted, run)
    }
  }

  private mutating func halve(
    _ wishes: [Wish], _ fault: ControlFault, in graph: CheckedGraph, while isWanted: () -> Bool,
    _ run: (CheckedGraph) throws(ControlFault) -> Void
  ) -> Set<String> {
    guard isWanted() else { return [] }
    if wishes.count == 1 {
      var wish = wishes[0]
      guard wish.refuse(fault, in: graph) else { return [] }
      return attempt([wish], in: graph, while: isWanted, run)
    }
    let middle = wishes.count / 2
    return attempt(Array(wishes[..<middle]), in: graph, while: isWanted, run)
      .union(attempt(Array(wishes[middle...]), in: graph, while: isWanted, run))
  }

  private mutating func attempt(
    _ wishes: [Wish], in graph: CheckedGraph, while isWanted: () -> Bool,
    _ run: (CheckedGraph) throws(ControlFault) -> Void
  ) -> Set<String> {
    guard isWanted() else { return [] }
    let checked = check(wishes)
    guard let new = checked.graph else {
      return halve(wishes, ControlFault(checked), in: graph, while: isWanted, run)
    }
    return finish(wishes, new, in: graph, while: isWanted, run)
  }

  /// The setting that a command sets; nil where it sets none.
  static func override(
    _ command: ShowCommand, _ graph: CheckedGraph
  ) throws(ControlFault) -> Override? {
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
    self =
      checked.faults.first.map(ControlFault.init)
      ?? .graph(code: "faulty", "the graph has faults", notes: [])
  }

  init(_ fault: Diagnostic) { self = .graph(code: fault.code, fault.sentence, notes: fault.notes) }
}
