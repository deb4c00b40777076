import DMX
import Graphs
import Nodes
import System

/// The LEDs of a graph, for `visgraph info`: number, current, and traffic of each output. [control]
struct LedSheet {
  private struct Node {
    let id: String
    let run: PixelRun
    let current: LedCurrent
  }

  private struct Output {
    let id: String
    let type: String
    /// The ids of the nodes whose LEDs it sends.
    let of: [String]
    let leds: Int
    let traffic: PixelTraffic?
  }

  private let nodes: [Node]
  private let outputs: [Output]

  init(_ graph: CheckedGraph) {
    nodes = graph.nodes.compactMap { node in
      guard let current = LedCurrent(node), let run = node.outputs.first?.channels.first?.pixels else {
        return nil
      }
      return Node(id: node.id, run: run, current: current)
    }
    outputs = graph.nodes.compactMap { node in
      guard let input = node.inputs.first(where: { $0.type == .pixels }) else { return nil }
      let of = input.sources.compactMap { $0.first.map { graph.nodes[$0.node].id } }
      return Output(
        id: node.id, type: node.type.name, of: of,
        leds: input.channels.compactMap(\.pixels).reduce(0) { $0 + $1.count },
        traffic: PixelTraffic(node, fps: graph.fps))
    }
  }

  /// A table of the nodes, and one of the outputs; nil: there are no LEDs.
  var tables: (nodes: [[String]], outputs: [[String]]?)? {
    if nodes.isEmpty { return nil }
    let lines = nodes.map { node in
      [node.id, "\(node.run.count)", "\(node.run.count * node.run.bytes)", Self.words(node.current)]
    }
    let sent = outputs.map { output in
      [output.id, "\(output.leds)", output.of.joined(separator: " ")] + Self.words(output.traffic)
    }
    return (
      [["LEDS", "COUNT", "BYTES", "AMPERE AT MOST"]] + lines,
      sent.isEmpty ? nil : [["OUTPUT", "LEDS", "OF", "UNIVERSES", "A FRAME", "A SECOND"]] + sent
    )
  }

  private static func words(_ current: LedCurrent) -> String {
    guard let limit = current.limit, limit < current.most else { return "\(figure(current.most)) A" }
    return "\(figure(limit)) A (\(figure(current.most)) A without the limit)"
  }

  private static func words(_ traffic: PixelTraffic?) -> [String] {
    guard let traffic else { return ["", "", ""] }
    let universes = traffic.universes.map {
      $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound) to \($0.upperBound)"
    }
    return [
      universes ?? "",
      NumberFormat.count(traffic.packets, "packet"),
      "\(figure(traffic.rate)) frames, \(figure(traffic.megabits)) Mbit/s",
    ]
  }

  /// A number rounded to about three significant digits.
  private static func figure(_ number: Double) -> String {
    let places = number >= 100 ? 1.0 : number >= 10 ? 10 : 100
    return String(shortest: (number * places).rounded() / places)
  }

  var json: Json {
    .object([
      (
        "nodes",
        .array(
          nodes.map { node in
            .object([
              ("node", .string(node.id)), ("count", .number(Double(node.run.count))),
              ("bytes", .number(Double(node.run.count * node.run.bytes))),
              ("ampere", .number(node.current.most)), ("limit", node.current.limit.map(Json.number) ?? .null),
            ])
          })
      ),
      (
        "outputs",
        .array(
          outputs.map { output in
            .object([
              ("node", .string(output.id)), ("leds", .number(Double(output.leds))),
              ("of", .array(output.of.map { .string($0) })),
              (
                "universes",
                output.traffic?.universes.map { .array($0.map { .number(Double($0)) }) } ?? .array([])
              ),
              ("packets", output.traffic.map { .number(Double($0.packets)) } ?? .null),
              ("framesPerSecond", output.traffic.map { .number($0.rate) } ?? .null),
              ("megabits", output.traffic.map { .number($0.megabits) } ?? .null),
            ])
          })
      ),
    ])
  }
}
