import Controls
import Graphs
import OSC

/// The answer of a show to `/visgraph/status`, as people and programs read it: what it holds is declared by `ShowFact`.
struct StatusReport {
  /// One message: the parts of its address by what they stand for, and its arguments.
  private struct Item {
    var parts: [(name: String, part: String)] = []
    let arguments: [Argument]

    var id: String { parts.first?.part ?? "" }
  }

  /// The messages of each fact, by its name, and the names in the order they came in.
  private var items: [String: [Item]] = [:]
  private var names: [String] = []
  private var players: [(id: String, facts: [(name: String, arguments: [Argument])])] = []

  /// Sorts the messages of an answer.
  init(_ messages: [Message]) {
    for message in messages where message.address.hasPrefix(ShowFact.base) {
      let parts = message.address.dropFirst(ShowFact.base.count).split(separator: "/").map(String.init)
      if parts.count == 3, parts[0] == "node" {
        if players.last?.id != parts[1] { players.append((parts[1], [])) }
        players[players.count - 1].facts.append((parts[2], message.arguments))
      } else {
        take(message)
      }
    }
  }

  private mutating func take(_ message: Message) {
    for fact in ShowFact.all where fact.takes(arguments: message.arguments.count) {
      guard let parts = fact.parts(of: message.address) else { continue }
      return add(Item(parts: parts, arguments: message.arguments), to: fact.name)
    }
    // A later version may say more of a show.
    let name = String(message.address.dropFirst(ShowFact.base.count))
    guard message.arguments.count == 1, name != "end", !name.contains("/") else { return }
    add(Item(arguments: message.arguments), to: name)
  }

  private mutating func add(_ item: Item, to name: String) {
    if items[name] == nil { names.append(name) }
    items[name, default: []].append(item)
  }

  /// Whether the lights go as they should.
  var isHealthy: Bool { self["healthy"] == .int(1) }

  private subscript(name: String) -> Argument? { items[name]?.first?.arguments.first }

  private func all(_ name: String) -> [Item] { items[name] ?? [] }

  /// A line for each thing, to be read.
  var text: String {
    var lines: [(name: String, text: String)] = []
    let name = self["name"]?.shown ?? ""
    lines.append(
      (
        isHealthy ? "healthy" : "unhealthy",
        "\(name.isEmpty ? "a show without a name" : name) for \(clock(self["running"])), visgraph \(self["version"]?.shown ?? "?")"
      ))
    for fault in all("fault/N") { lines.append(("", fault.arguments.text(0))) }
    lines.append(("graph", self["graph"]?.shown ?? "none yet"))
    lines.append(
      (
        "host",
        "\(self["host"]?.shown ?? "none"), \(self["rate"]?.shown ?? "0") Hz, timeline at \(clock(self["timeline"]))"
      ))
    let isDark = self["blackout"] == .int(1)
    lines.append(("master", "\(self["master"]?.shown ?? "1")\(isDark ? ", but there is a blackout" : "")"))
    if let values = all("scene").first?.arguments {
      let way = values[2] == .double(0) ? "" : ", \(values[2].shown) s are left"
      lines.append(("scene", values.text(0) + way))
    }
    for (name, fact) in [("cue", "cue"), ("next", "cue/next")] {
      guard let values = all(fact).first?.arguments, !values.text(0).isEmpty else { continue }
      let left = values.count > 2 ? ", by itself in \(values.text(2)) s" : ""
      lines.append(
        (name, [values.text(0), values.text(1)].filter { !$0.isEmpty }.joined(separator: " ") + left))
    }
    for target in all("target/ID/N") {
      let values = target.arguments
      lines.append(("target", "\(target.id): \(values.text(2)), for \(clock(values[3]))"))
    }
    for limit in all("limit/ID/SETTING") {
      lines.append(("limit", "\(limit.id): \(limit.parts[1].part) \(limit.arguments.text(0))"))
    }
    for fade in all("fade") {
      lines.append(
        (
          "fade",
          "\(fade.arguments.text(0)) to \(fade.arguments[1].shown), \(fade.arguments[2].shown) s are left"
        ))
    }
    if let state = self["state"]?.shown {
      let counts = all("event/EVENT").map { "\($0.id) \($0.arguments.text(0))" }.joined(separator: ", ")
      lines.append(("state", state + (counts.isEmpty ? "" : "; so far: \(counts)")))
    }
    for player in players { lines.append(("player", "\(player.id): \(Self.words(player.facts))")) }
    if let values = all("refused").first?.arguments {
      lines.append(("refused", "\(values.text(0)): \(values.text(1)), the newest of \(values[2].shown)"))
    }
    var last = ""
    return lines.map { line in
      defer { last = line.name.isEmpty ? last : line.name }
      let head = line.name == last ? "" : line.name
      return DisplayedText.safe(head + String(repeating: " ", count: 11 - head.count) + line.text) + "\n"
    }.joined()
  }

  private static func words(_ facts: [(name: String, arguments: [Argument])]) -> String {
    func fact(_ name: String) -> Argument? { facts.first { $0.name == name }?.arguments.first }
    let isPlaying = fact("playing") == .int(1)
    var words = fact("over") == .int(1) ? "has played everything" : isPlaying ? "plays" : "is paused"
    let title =
      fact("title")?.shown ?? fact("url").map { $0.shown.split(separator: "/").last.map(String.init) ?? "" }
    if let title { words += ", \(title)" }
    if let artist = fact("artist") { words += " by \(artist.shown)" }
    words += " at \(clock(fact("currentTime")))"
    if let duration = fact("duration") { words += " of \(clock(duration))" }
    if let track = fact("track"), let tracks = fact("tracks"), tracks != .int(1) {
      words += ", track \(track.shown) of \(tracks.shown)"
    }
    if fact("interrupted") == .int(1) { words += ", interrupted" }
    return words
  }

  /// One object for programs: every fact at its place, and the players as a list.
  var json: Json {
    var pairs: [(String, Json)] = []
    for name in names where !ShowFact.all.contains(where: { $0.name == name && $0.place != .alone }) {
      let values = ShowFact.all.first { $0.name == name }?.values ?? []
      pairs.append((name, Self.json(items[name]?[0].arguments[0], values.first)))
    }
    for fact in ShowFact.all {
      let items = all(fact.name)
      switch fact.place {
      case .texts(let name):
        pairs.append((name, .array(items.map { .string($0.arguments.text(0)) })))
      case .entries(let name):
        pairs.append((name, .object(items.map { ($0.id, Self.json($0.arguments.first, fact.values[0])) })))
      case .one(let name) where !items.isEmpty, .objects(let name):
        pairs.append((name, .array(items.map { Self.object($0, fact) })))
      case .alone, .one, .nowhere: break
      }
    }
    let players = players.map { player in
      Json.object(
        [("id", .string(player.id))]
          + player.facts.map { name, values in
            (name, values.count == 1 ? values[0].json : .array(values.map(\.json)))
          })
    }
    return .object(pairs + [("players", .array(players))])
  }

  private static func object(_ item: Item, _ fact: ShowFact) -> Json {
    // The place among those of a node is seen from the list.
    let parts = item.parts.filter { $0.name != "n" }.map { ($0.name, Json.string($0.part)) }
    return .object(
      parts + zip(fact.values, item.arguments).map { value, argument in (value.name, json(argument, value)) })
  }

  private static func json(_ argument: Argument?, _ value: ShowFact.Value?) -> Json {
    value?.kind == .flag ? .bool(argument == .int(1)) : argument?.json ?? .null
  }
}

/// A time as clocks show it.
private func clock(_ argument: Argument?) -> String {
  if case .double(let seconds)? = argument { NumberFormat.time(seconds) } else { "?" }
}

extension [Argument] {
  fileprivate func text(_ place: Int) -> String { place < count ? self[place].shown : "" }
}

extension Argument {
  /// As people read it.
  fileprivate var shown: String {
    switch self {
    case .int(let value): "\(value)"
    case .int64(let value): "\(value)"
    case .float(let value): shortest(Double("\(value)") ?? Double(value))
    case .double(let value): shortest((value * 1000).rounded() / 1000)
    case .string(let text): text
    default: "-"
    }
  }

  fileprivate var json: Json {
    switch self {
    case .int(let value): .number(Double(value))
    case .int64(let value): .number(Double(value))
    case .float(let value): .number(Double("\(value)") ?? Double(value))
    case .double(let value): .number(value)
    case .string(let text): .string(text)
    case .bool(let value): .bool(value)
    case .null, .impulse, .blob, .timeTag: .null
    }
  }
}
