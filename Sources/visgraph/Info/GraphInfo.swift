import Controls
import Graphs
import Nodes
import OSC

/// The output of `visgraph info`. [control]
struct GraphInfo {
  private let graph: CheckedGraph
  private let sheet: PatchSheet

  init(_ graph: CheckedGraph) {
    self.graph = graph
    sheet = PatchSheet(graph)
  }

  private var client: String { graph.client ?? "visgraph" }

  private var control: String {
    switch graph.control.listen {
    case .standard: "127.0.0.1:\(ControlPort.standard), or the next free port"
    case .at(let address): "\(address)"
    case .off: "off"
    }
  }

  /// The requirements of the graph, an item each.
  private var requirements: [String] {
    let requires = graph.requires
    var parts: [String] = []
    if !requires.nodes.isEmpty { parts.append("the node types " + requires.nodes.joined(separator: ", ")) }
    if !requires.rates.isEmpty {
      parts.append(requires.rates.map(String.init).joined(separator: " or ") + " Hz")
    }
    if let channels = requires.channels {
      parts.append("\(NumberFormat.count(channels, "channel")) of sound")
    }
    return parts
  }

  /// Files besides sounds: emitter files and pictures.
  private var otherFiles: [String] { graph.files }

  // MARK: - Text

  /// For people: the graph's identity, files, ports, and patch sheet.
  var text: String {
    var parts = [DisplayedText.safe(graph.name) + "\n" + Self.table(head)]
    let files = sheet.files.map { [$0.node, $0.path] } + otherFiles.map { ["", $0] }
    if !files.isEmpty { parts.append("Opens\n" + Self.table(files)) }
    let ports = sheet.ports.map { ["\(client):\($0.name)", $0.isInput ? "in" : "out", $0.channel ?? ""] }
    if !ports.isEmpty { parts.append("JACK ports\n" + Self.table(ports)) }
    if !sheet.fixtures.isEmpty {
      let heading = ["HEARD IN", "CHANNEL", "OSC ADDRESS", "TO", "LEVEL", "QLC+"]
      let rows = sheet.fixtures.map { fixture in
        [
          fixture.sources.joined(separator: " "), fixture.name ?? "\(fixture.channel)", fixture.address,
          fixture.target, fixture.unit?.rawValue ?? "number", "\(fixture.shownQlcChannel)",
        ]
      }
      parts.append("Patch sheet\n" + Self.table([heading] + rows))
    }
    if let rows = LightSheet(graph).rows { parts.append("Patch\n" + Self.table(rows)) }
    if let leds = LedSheet(graph).tables {
      parts.append("LEDs\n" + Self.table(leds.nodes))
      if let outputs = leds.outputs { parts.append("LED outputs\n" + Self.table(outputs)) }
    }
    let streams = sheet.streams.map { [$0.node, $0.address, $0.target] }
    if !streams.isEmpty { parts.append("Also sent\n" + Self.table(streams)) }
    let cues = CueSheet(graph)
    if let rows = cues.cueRows { parts.append("Cues\n" + Self.table(rows)) }
    if let rows = cues.alarmRows { parts.append("By the clock\n" + Self.table(rows)) }
    if !collisions.isEmpty { parts.append(collisions.map { $0 + "\n" }.joined()) }
    return parts.joined(separator: "\n")
  }

  private var head: [[String]] {
    let stage = "\(graph.stage.width)x\(graph.stage.height)"
    let targets = Set(sheet.fixtures.map(\.target) + sheet.streams.map(\.target)).count
    let size = [
      NumberFormat.count(graph.nodes.count, "node"), NumberFormat.count(graph.wires, "wire"),
      NumberFormat.count(sheet.ports.count, "port"), NumberFormat.count(sheet.fixtures.count, "fixture"),
      NumberFormat.count(targets, "target"),
    ].joined(separator: ", ")
    var rows = graph.identity.pairs.map { [$0.name, $0.text] }
    rows += [
      ["file", graph.path], ["size", size], ["frames", "\(Self.rate(graph.fps)) a second"], ["stage", stage],
    ]
    if !requirements.isEmpty { rows.append(["requires", requirements.joined(separator: "; ")]) }
    if !graph.scenes.isEmpty {
      let names = graph.scenes.map(\.name).joined(separator: ", ")
      rows.append(["scenes", names + (graph.main.map { "; starts in \($0)" } ?? "")])
    }
    if !graph.hooks.events.isEmpty {
      rows.append(["hooks", graph.hooks.events.map(\.rawValue).joined(separator: ", ")])
    }
    if !graph.hooks.endpoints.isEmpty {
      rows.append(["hooks send to", graph.hooks.endpoints.map { "\($0)" }.sorted().joined(separator: ", ")])
    }
    if !sheet.ports.isEmpty { rows.append(["JACK client", client]) }
    rows.append(["control", control])
    if !graph.control.feedback.isEmpty {
      rows.append(["feedback", graph.control.feedback.map { "\($0)" }.joined(separator: ", ")])
    }
    return rows
  }

  private static func rate(_ fps: FrameRate) -> String {
    fps.seconds == 1 ? "\(fps.frames)" : "\(fps.frames)/\(fps.seconds)"
  }

  /// Addresses that QLC+ maps to the same channel, a sentence for each channel.
  private var collisions: [String] {
    sheet.collisions.map { collision in
      DisplayedText.safe(
        "\(collision.target): \(collision.addresses.joined(separator: " and ")) are one channel of QLC+, "
          + "\(collision.channel + 1): give one of them another address")
    }
  }

  /// Rows as aligned columns.
  private static func table(_ rows: [[String]]) -> String {
    let rows = rows.map { $0.map(DisplayedText.safe) }
    var widths: [Int] = []
    for row in rows {
      for (index, cell) in row.enumerated() {
        if index == widths.count { widths.append(0) }
        widths[index] = max(widths[index], DisplayedText.width(cell))
      }
    }
    return rows.map { row in
      let cells = zip(row, widths).map { cell, width in
        cell + String(repeating: " ", count: width - DisplayedText.width(cell))
      }
      var line = "  " + cells.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      return line + "\n"
    }.joined()
  }

  /// The patch alone, as CSV for spreadsheets.
  var csv: String { LightSheet(graph).csv }

  // MARK: - JSON

  var json: Json {
    var pairs: [(String, Json)] = [("name", .string(graph.name))]
    pairs += graph.identity.pairs.map { ($0.name, .string($0.text)) }
    pairs += [
      ("file", .string(graph.path)), ("fps", .number(graph.fps.perSecond)),
      ("stage", .array([.number(Double(graph.stage.width)), .number(Double(graph.stage.height))])),
      ("nodes", .array(graph.nodes.map { Self.object(["id": $0.id, "type": $0.type.name]) })),
      ("requires", requirementsJson),
      ("scenes", .array(graph.scenes.map { .string($0.name) })),
      ("main", graph.main.map { .string($0) } ?? .null),
    ]
    pairs += CueSheet(graph).json
    pairs += [
      (
        "hooks",
        .object(
          graph.hooks.events.map { event in
            (event.rawValue, .array(graph.hooks[event].map { .string($0.source) }))
          })
      ),
      ("client", .string(client)), ("control", .string(control)),
      ("feedback", .array(graph.control.feedback.map { .string("\($0)") })),
      (
        "files",
        .array(
          sheet.files.map { Self.object(["node": $0.node, "path": $0.path]) }
            + otherFiles.map { Self.object(["path": $0]) })
      ),
      (
        "ports",
        .array(
          sheet.ports.map {
            Self.object([
              "name": "\(client):\($0.name)", "direction": $0.isInput ? "in" : "out", "channel": $0.channel,
            ])
          })
      ),
      ("fixtures", .array(sheet.fixtures.map(Self.json))),
      ("patch", LightSheet(graph).json), ("leds", LedSheet(graph).json),
      (
        "streams",
        .array(
          sheet.streams.map { Self.object(["node": $0.node, "address": $0.address, "target": $0.target]) })
      ),
      (
        "collisions",
        .array(
          sheet.collisions.map { collision in
            .object([
              ("target", .string(collision.target)), ("qlcChannel", .number(Double(collision.channel))),
              ("qlcShown", .number(Double(collision.channel + 1))),
              ("addresses", .array(collision.addresses.map { .string($0) })),
            ])
          })
      ),
    ]
    return .object(pairs)
  }

  private var requirementsJson: Json {
    var pairs: [(String, Json)] = []
    let requires = graph.requires
    if !requires.nodes.isEmpty { pairs.append(("nodes", .array(requires.nodes.map { .string($0) }))) }
    if !requires.rates.isEmpty { pairs.append(("rates", .array(requires.rates.map { .number(Double($0)) }))) }
    if let channels = requires.channels { pairs.append(("channels", .number(Double(channels)))) }
    return .object(pairs)
  }

  private static func json(_ fixture: PatchSheet.Fixture) -> Json {
    .object([
      ("node", .string(fixture.node)), ("channel", .number(Double(fixture.channel))),
      ("name", fixture.name.map { .string($0) } ?? .null),
      ("heardIn", .array(fixture.sources.map { .string($0) })),
      ("level", .string(fixture.type.rawValue)),
      ("unit", fixture.unit.map { .string($0.rawValue) } ?? .null), ("target", .string(fixture.target)),
      ("address", .string(fixture.address)), ("qlcChannel", .number(Double(fixture.qlcChannel))),
      ("qlcShown", .number(Double(fixture.shownQlcChannel))),
    ])
  }

  /// A JSON object; pairs without a text are left out.
  private static func object(_ pairs: KeyValuePairs<String, String?>) -> Json {
    .object(pairs.compactMap { name, text in text.map { (name, .string($0)) } })
  }
}
