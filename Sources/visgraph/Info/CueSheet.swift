import Controls
import Graphs
import OSC

/// The cues and alarms of a graph, for `visgraph info`. [control]
struct CueSheet {
  private let graph: CheckedGraph

  init(_ graph: CheckedGraph) { self.graph = graph }

  // MARK: - Text

  /// A heading, and a row for each cue; nil: there are none.
  var cueRows: [[String]]? {
    guard !graph.cues.isEmpty else { return nil }
    let rows = graph.cues.map { cue in
      ["\(cue.number)", cue.label, Self.words(cue.action).joined(separator: "; "), next(after: cue)]
    }
    return [["CUE", "LABEL", "DOES", "NEXT"]] + rows
  }

  /// A heading, and a row for each alarm; nil: there are none.
  var alarmRows: [[String]]? {
    guard !graph.alarms.isEmpty else { return nil }
    let rows = graph.alarms.map { alarm in
      [
        alarm.name, alarm.days.count == 7 ? "all" : alarm.dayNames.joined(separator: ", "),
        ((alarm.cue.map { ["cue \($0)"] } ?? []) + Self.words(alarm.action)).joined(separator: "; "),
      ]
    }
    return [["AT", "DAYS", "DOES"]] + rows
  }

  private static func words(_ action: ShowAction) -> [String] {
    let time = action.seconds.map { " in \(NumberFormat.seconds($0)) s" } ?? ""
    return (action.scene.map { ["scene \($0)\(time)"] } ?? []) + action.sources
  }

  /// The next cue, with its follow-on time where it has one.
  private func next(after cue: ShowCue) -> String {
    guard let next = graph.cue(after: cue.number) else { return "" }
    return switch cue.followOn {
    case nil: "\(next.number)"
    case .begin(let seconds): "\(next.number), after \(NumberFormat.seconds(seconds)) s"
    case .end(let seconds): "\(next.number), \(NumberFormat.seconds(seconds)) s after its end"
    }
  }

  // MARK: - JSON

  var json: [(String, Json)] {
    [("cues", .array(graph.cues.map(json))), ("clock", .array(graph.alarms.map(json)))]
  }

  private func json(_ cue: ShowCue) -> Json {
    var pairs: [(String, Json)] = [("number", .string("\(cue.number)")), ("label", .string(cue.label))]
    pairs += Self.json(cue.action)
    pairs.append(("next", graph.cue(after: cue.number).map { .string("\($0.number)") } ?? .null))
    switch cue.followOn {
    case nil: break
    case .begin(let seconds): pairs.append(("continue", .number(seconds)))
    case .end(let seconds): pairs.append(("follow", .number(seconds)))
    }
    return .object(pairs)
  }

  private func json(_ alarm: ShowAlarm) -> Json {
    var pairs: [(String, Json)] = [
      ("at", .string(alarm.name)), ("days", .array(alarm.dayNames.map { .string($0) })),
      ("cue", alarm.cue.map { .string("\($0)") } ?? .null),
    ]
    pairs += Self.json(alarm.action)
    return .object(pairs)
  }

  private static func json(_ action: ShowAction) -> [(String, Json)] {
    [
      ("scene", action.scene.map { .string($0) } ?? .null),
      ("seconds", action.seconds.map { .number($0) } ?? .null),
      ("do", .array(action.sources.map { .string($0) })),
    ]
  }
}
