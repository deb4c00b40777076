import Controls
import Graphs
import OSC

/// A show's answer to `/visgraph/status` as text and as JSON. `ShowFact` declares the facts.
struct StatusReport {
  private let answer: ShowAnswer

  init(_ messages: [Message]) { answer = ShowAnswer(messages) }

  /// Whether the show reports itself healthy.
  var isHealthy: Bool { answer.isHealthy }

  /// The facts as text, with one line per subject.
  var text: String {
    var last = ""
    return answer.lines.map { line in
      defer { last = line.label.isEmpty ? last : line.label }
      let head = line.label == last ? "" : line.label
      return DisplayedText.safe(head + String(repeating: " ", count: 11 - head.count) + line.text) + "\n"
    }.joined()
  }

  /// The facts as one JSON object, with the players as a list.
  var json: Json {
    var pairs: [(String, Json)] = []
    for name in answer.names where !ShowFact.all.contains(where: { $0.name == name && $0.place != .alone }) {
      let values = ShowFact.all.first { $0.name == name }?.values ?? []
      pairs.append((name, Self.json(answer[name], values.first)))
    }
    for fact in ShowFact.all {
      let items = answer.all(fact.name)
      switch fact.place {
      case .texts(let name):
        pairs.append((name, .array(items.map { .string($0.text(0)) })))
      case .entries(let name):
        pairs.append((name, .object(items.map { ($0.id, Self.json($0.arguments.first, fact.values[0])) })))
      case .one(let name) where !items.isEmpty, .objects(let name):
        pairs.append((name, .array(items.map { Self.object($0, fact) })))
      case .alone, .one, .nowhere: break
      }
    }
    let players = answer.players.map { player in
      Json.object(
        [("id", .string(player.id))]
          + player.facts.map { name, values in
            (name, values.count == 1 ? values[0].json : .array(values.map(\.json)))
          })
    }
    return .object(pairs + [("players", .array(players))])
  }

  private static func object(_ item: ShowAnswer.Item, _ fact: ShowFact) -> Json {
    // The index of the part is left out, because its place in the list gives it.
    let parts = item.parts.filter { $0.name != "n" }.map { ($0.name, Json.string($0.part)) }
    return .object(
      parts + zip(fact.values, item.arguments).map { value, argument in (value.name, json(argument, value)) })
  }

  private static func json(_ argument: Argument?, _ value: ShowFact.Value?) -> Json {
    value?.kind == .flag ? .bool(argument == .int(1)) : argument?.json ?? .null
  }
}

extension Argument {
  fileprivate var json: Json {
    switch self {
    case .int(let value): .number(Double(value))
    case .int64(let value): .number(Double(value))
    case .float(let value): .number(value.asWritten)
    case .double(let value): .number(value)
    case .string(let text): .string(text)
    case .bool(let value): .bool(value)
    case .null, .impulse, .blob, .timeTag: .null
    }
  }
}
