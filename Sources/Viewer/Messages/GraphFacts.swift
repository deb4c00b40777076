import Engine
import Graphs
import OSC

/// The topic `graph` as JSON: nodes, wires, and settings with their declarations. [view]
enum GraphFacts {
  /// The running graph as an object. With the right to watch it has neither settings, which name files and targets, nor
  /// the graph's path.
  static func json(_ graph: CheckedGraph, for right: ViewRight) -> Json {
    var declarations: [(String, Json)] = []
    var known: Set<String> = []
    let nodes = graph.nodes.map { node in
      let leaves = right == .steer ? node.settingLeaves : []
      for leaf in leaves where known.insert(leaf.declaration).inserted {
        declarations.append((leaf.declaration, leaf.setting.json))
      }
      return Self.node(node, leaves)
    }
    return .object([
      ("name", .string(graph.name)), ("path", right == .steer ? .string(graph.path) : .null),
      ("fps", .number(graph.fps.perSecond)),
      (
        "stage",
        .object([
          ("width", .number(Double(graph.stage.width))), ("height", .number(Double(graph.stage.height))),
        ])
      ),
      ("scenes", .array(graph.scenes.map { .string($0.name) })), ("cues", .array(graph.cues.map(cue))),
      ("nodes", .array(nodes)),
      ("wires", .array(wires(graph))), ("settings", .object(declarations)),
    ])
  }

  private static func cue(_ cue: ShowCue) -> Json {
    .object([
      ("number", .string("\(cue.number)")), ("label", .string(cue.label)),
      ("follows", .bool(cue.followOn != nil)),
    ])
  }

  private static func node(_ node: CheckedNode, _ leaves: [SettingLeaf]) -> Json {
    .object([
      ("id", .string(node.id)), ("type", .string(node.type.name)),
      ("help", .string(firstSentence(node.type.help))),
      (
        "inputs",
        .array(
          node.inputs.map { port in
            .object([
              ("name", .string(port.name)), ("type", port.type.map { .string($0.words) } ?? .null),
              ("channels", channels(port.channels)),
            ])
          })
      ),
      (
        "outputs",
        .array(
          node.outputs.enumerated().map { index, port in
            .object([
              ("name", .string(port.name)), ("type", .string(port.type.words)),
              ("level", level(node, index, port)), ("unit", port.unit.map { .string($0.rawValue) } ?? .null),
              ("channels", channels(port.channels)),
            ])
          })
      ),
      ("settings", .array(leaves.map(setting))),
    ])
  }

  /// The prefix of its levels' OSC addresses; null: it has none.
  private static func level(_ node: CheckedNode, _ index: Int, _ port: CheckedOutput) -> Json {
    guard port.type.isLevel else { return .null }
    return .string("/visgraph/level/\(index == 0 ? node.id : "\(node.id).\(port.name)")")
  }

  private static func channels(_ channels: [Channel]) -> Json {
    .array(channels.map { .string($0.name ?? "\($0.number)") })
  }

  private static func setting(_ leaf: SettingLeaf) -> Json {
    var pairs: [(String, Json)] = [
      ("path", .string(leaf.path)), ("is", .string(leaf.declaration)), ("value", .string(leaf.text)),
    ]
    if let channel = leaf.channel { pairs.append(("channel", .number(Double(channel + 1)))) }
    if let place = leaf.setting.kind.faderPlace(of: .written(leaf.text)) {
      pairs.append(("place", float(place)))
    }
    return .object(pairs)
  }

  /// One entry for all channels of a pair of ports.
  private static func wires(_ graph: CheckedGraph) -> [Json] {
    var wires: [Json] = []
    for node in graph.nodes {
      for input in node.inputs {
        var pairs: [[Int]: [Json]] = [:]
        var order: [[Int]] = []
        for (to, sources) in input.sources.enumerated() {
          for source in sources {
            let key = [source.node, source.output]
            if pairs[key] == nil { order.append(key) }
            pairs[key, default: []].append(
              .array([.number(Double(source.channel + 1)), .number(Double(to + 1))]))
          }
        }
        for key in order {
          let from = graph.nodes[key[0]]
          wires.append(
            .object([
              ("from", .string(from.id)), ("output", .string(from.outputs[key[1]].name)),
              ("to", .string(node.id)), ("input", .string(input.name)),
              ("channels", .array(pairs[key] ?? [])),
            ]))
        }
      }
    }
    return wires
  }

  private static func firstSentence(_ help: String) -> String {
    help.firstRange(of: ". ").map { String(help[..<$0.lowerBound]) + "." } ?? help
  }

  /// A number with the shortest decimal of its Float.
  static func float(_ value: Float) -> Json { .number(value.asWritten) }
}

extension SettingLeaf {
  /// The name of the declaration: `meter.release`, `cell.birthRate`.
  var declaration: String { "\(owner).\(setting.name)" }
}

extension Argument {
  /// As JSON; null: JSON has no such value.
  var json: String {
    switch self {
    case .int(let value): "\(value)"
    case .int64(let value): "\(value)"
    case .float(let value): value.isFinite ? "\(value)" : "null"
    case .double(let value): value.isFinite ? "\(value)" : "null"
    case .string(let text): Json.string(text).line
    case .bool(let value): value ? "true" : "false"
    case .null, .impulse, .blob, .timeTag: "null"
    }
  }
}
