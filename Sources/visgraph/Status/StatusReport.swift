import Graphs
import OSC

/// The answer of a show to `/visgraph/status`, as people and programs read it.
struct StatusReport {
  /// What its addresses begin with.
  static let base = "/visgraph/status/"

  /// Something of which there may be several, such as a target: what it is of, and its arguments.
  private struct Item {
    let id: String
    let arguments: [Argument]
  }

  /// The facts that stand alone, in the order they came in.
  private var facts: [(name: String, value: Argument)] = []
  private var faults: [String] = []
  private var targets: [Item] = []
  private var limits: [Item] = []
  private var fades: [Item] = []
  private var scene: Item?
  private var cue: Item?
  private var nextCue: Item?
  /// What has happened to the show, and how often.
  private var events: [(name: String, count: Argument)] = []
  private var refused: Item?
  private var players: [(id: String, facts: [(name: String, arguments: [Argument])])] = []

  /// Sorts the messages of an answer.
  init(_ messages: [Message]) {
    for message in messages where message.address.hasPrefix(Self.base) {
      let parts = message.address.dropFirst(Self.base.count).split(separator: "/").map(String.init)
      let arguments = message.arguments
      switch (parts.first, parts.count) {
      case ("fault", 2): faults.append(arguments.text(0))
      case ("target", 3) where arguments.count == 4: targets.append(Item(id: parts[1], arguments: arguments))
      case ("limit", 3) where arguments.count == 1:
        limits.append(Item(id: parts[1], arguments: [.string(parts[2])] + arguments))
      case ("fade", 1) where arguments.count == 3: fades.append(Item(id: "", arguments: arguments))
      case ("scene", 1) where arguments.count == 3: scene = Item(id: "", arguments: arguments)
      case ("cue", 1) where arguments.count == 2: cue = Item(id: "", arguments: arguments)
      case ("cue", 2) where parts[1] == "next" && arguments.count >= 2:
        nextCue = Item(id: "", arguments: arguments)
      case ("event", 2) where arguments.count == 1: events.append((parts[1], arguments[0]))
      case ("refused", 1) where arguments.count == 3: refused = Item(id: "", arguments: arguments)
      case ("node", 3):
        if players.last?.id != parts[1] { players.append((parts[1], [])) }
        players[players.count - 1].facts.append((parts[2], arguments))
      case (let name?, 1) where arguments.count == 1 && name != "end": facts.append((name, arguments[0]))
      default: break
      }
    }
  }

  /// Whether the lights go as they should.
  var isHealthy: Bool { self["healthy"] == .int(1) }

  private subscript(name: String) -> Argument? { facts.first { $0.name == name }?.value }

  /// A line for each thing, to be read.
  var text: String {
    var lines: [(name: String, text: String)] = []
    let name = self["name"]?.shown ?? ""
    lines.append(
      (
        isHealthy ? "healthy" : "unhealthy",
        "\(name.isEmpty ? "a show without a name" : name) for \(clock(self["running"])), visgraph \(self["version"]?.shown ?? "?")"
      ))
    for message in faults { lines.append(("", message)) }
    lines.append(("graph", self["graph"]?.shown ?? "none yet"))
    lines.append(
      (
        "host",
        "\(self["host"]?.shown ?? "none"), \(self["rate"]?.shown ?? "0") Hz, timeline at \(clock(self["timeline"]))"
      ))
    let isDark = self["blackout"] == .int(1)
    lines.append(("master", "\(self["master"]?.shown ?? "1")\(isDark ? ", but there is a blackout" : "")"))
    if let values = scene?.arguments {
      let way = values[2] == .double(0) ? "" : ", \(values[2].shown) s are left"
      lines.append(("scene", values.text(0) + way))
    }
    for (name, item) in [("cue", cue), ("next", nextCue)] {
      guard let values = item?.arguments, !values.text(0).isEmpty else { continue }
      let left = values.count > 2 ? ", by itself in \(values.text(2)) s" : ""
      lines.append(
        (name, [values.text(0), values.text(1)].filter { !$0.isEmpty }.joined(separator: " ") + left))
    }
    for target in targets {
      let values = target.arguments
      lines.append(("target", "\(target.id): \(values.text(2)), for \(clock(values[3]))"))
    }
    for limit in limits {
      lines.append(("limit", "\(limit.id): \(limit.arguments.text(0)) \(limit.arguments.text(1))"))
    }
    for fade in fades {
      lines.append(
        (
          "fade",
          "\(fade.arguments.text(0)) to \(fade.arguments[1].shown), \(fade.arguments[2].shown) s are left"
        ))
    }
    if let state = self["state"]?.shown {
      let counts = events.map { "\($0.name) \($0.count.shown)" }.joined(separator: ", ")
      lines.append(("state", state + (counts.isEmpty ? "" : "; so far: \(counts)")))
    }
    for player in players { lines.append(("player", "\(player.id): \(Self.words(player.facts))")) }
    if let values = refused?.arguments {
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

  /// One object for programs: the facts by name, `faults`, `targets`, `limits`, `fades` and `players` as lists.
  var json: Json {
    var pairs = facts.map { name, value in
      (name, ["healthy", "blackout"].contains(name) ? Json.bool(value == .int(1)) : value.json)
    }
    // How many there are is seen from the list.
    pairs.removeAll { $0.0 == "players" }
    pairs.append(("faults", .array(faults.map(Json.string))))
    func list(_ name: String, _ items: [Item], _ fields: [String], id: Bool = true) {
      let objects = items.map { item in
        let head = id ? [("id", Json.string(item.id))] : []
        return Json.object(
          head
            + zip(fields, item.arguments).map { field, value in
              (field, field == "well" ? .bool(value == .int(1)) : value.json)
            })
      }
      pairs.append((name, .array(objects)))
    }
    list("targets", targets, ["target", "well", "state", "seconds"])
    list("limits", limits, ["setting", "value"])
    list("fades", fades, ["path", "goal", "left"], id: false)
    pairs.append(("events", .object(events.map { ($0.name, $0.count.json) })))
    if let scene { list("scene", [scene], ["name", "part", "left"], id: false) }
    if let cue { list("cue", [cue], ["number", "label"], id: false) }
    if let nextCue { list("next", [nextCue], ["number", "label", "left"], id: false) }
    if let refused { list("refused", [refused], ["address", "reason", "count"], id: false) }
    pairs.append(
      (
        "players",
        .array(
          players.map { player in
            .object(
              [("id", .string(player.id))]
                + player.facts.map { name, values in
                  (name, values.count == 1 ? values[0].json : .array(values.map(\.json)))
                })
          })
      ))
    return .object(pairs)
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
