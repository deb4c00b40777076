import DMX
import Graphs
import Tables

/// The fixtures of a graph, for `visgraph info`: their slots, the nodes that light them, and their outputs. [control]
struct LightSheet {
  private struct Row {
    let fixture: Fixture
    let nodes: [String]
    let outputs: [String]

    /// Universe and slots, such as `1/101…106`.
    var slots: String {
      let address = fixture.address
      return fixture.width == 1 ? "\(address)" : "\(address)…\(address.slot + fixture.width - 1)"
    }

    /// The attributes, with the number of bits where it is above 8.
    var attributes: String {
      fixture.slots.map { slot in
        slot.slots.count == 1 ? slot.attribute.name : "\(slot.attribute) (\(8 * slot.slots.count) bit)"
      }.joined(separator: ", ")
    }
  }

  private let list: [Row]

  init(_ graph: CheckedGraph) {
    var nodes: [String: [String]] = [:]
    var outputs: [String: [String]] = [:]
    for node in graph.nodes {
      let lit = node.outputs.filter { $0.type == .light }.flatMap(\.channels)
      let sent = node.inputs.filter { $0.type == .light }.flatMap(\.channels)
      for name in Set(lit.compactMap(\.light?.fixture)) { nodes[name, default: []].append(node.id) }
      for name in Set(sent.compactMap(\.light?.fixture)) { outputs[name, default: []].append(node.id) }
    }
    list = graph.patch.fixtures.map {
      Row(fixture: $0, nodes: nodes[$0.name] ?? [], outputs: outputs[$0.name] ?? [])
    }
  }

  private static let heading = ["FIXTURE", "SLOTS", "ATTRIBUTES", "GROUPS", "LIT BY", "SENT BY"]

  private var cells: [[String]] {
    list.map { row in
      [
        row.fixture.name, row.slots, row.attributes, row.fixture.groups.joined(separator: " "),
        row.nodes.joined(separator: " "), row.outputs.joined(separator: " "),
      ]
    }
  }

  /// A table of fixtures, then the free slots of each universe; nil: there are no fixtures.
  var rows: [[String]]? {
    if list.isEmpty { return nil }
    let free = freeSlots.map { universe, ranges in
      ["free in \(universe)", ranges.joined(separator: ", ")]
    }
    return [Self.heading] + cells + free
  }

  /// The slots without a fixture as ranges such as `13…100`, by universe in ascending order.
  private var freeSlots: [(universe: Int, ranges: [String])] {
    let used = Dictionary(grouping: list.map(\.fixture), by: \.address.universe)
    return used.keys.sorted().map { universe in
      var next = 1
      var ranges: [String] = []
      func close(before slot: Int) {
        if next < slot { ranges.append(next == slot - 1 ? "\(next)" : "\(next)…\(slot - 1)") }
      }
      for fixture in (used[universe] ?? []).sorted(by: { $0.address.slot < $1.address.slot }) {
        close(before: fixture.address.slot)
        next = fixture.address.slot + fixture.width
      }
      close(before: SlotAddress.slots + 1)
      return (universe, ranges.isEmpty ? ["none"] : ranges)
    }
  }

  /// The fixtures as CSV (RFC 4180), for spreadsheets and labels.
  var csv: String {
    let heading = ["fixture", "universe", "slot", "slots", "attributes", "groups", "lit by", "sent by"]
    let rows = list.map { row in
      let address = row.fixture.address
      return [
        row.fixture.name, "\(address.universe)", "\(address.slot)", "\(row.fixture.width)", row.attributes,
        row.fixture.groups.joined(separator: " "), row.nodes.joined(separator: " "),
        row.outputs.joined(separator: " "),
      ]
    }
    return ([heading] + rows).map { $0.map(CsvCell.text).joined(separator: ",") + "\n" }.joined()
  }

  var json: Json {
    .array(
      list.map { row in
        .object([
          ("fixture", .string(row.fixture.name)),
          ("universe", .number(Double(row.fixture.address.universe))),
          ("slot", .number(Double(row.fixture.address.slot))), ("slots", .number(Double(row.fixture.width))),
          ("groups", .array(row.fixture.groups.map { .string($0) })),
          (
            "attributes",
            .array(
              row.fixture.slots.map { slot in
                .object([
                  ("name", .string(slot.attribute.name)),
                  ("slots", .array(slot.slots.map { .number(Double($0)) })),
                  ("range", .array([.number(slot.scale.low), .number(slot.scale.high)])),
                  ("unit", .string(slot.attribute.unit.rawValue)),
                ])
              })
          ), ("litBy", .array(row.nodes.map { .string($0) })),
          ("sentBy", .array(row.outputs.map { .string($0) })),
        ])
      })
  }
}
