import Graphs

/// Numbers the levels and the event outputs of a graph, in the order of the file. [control]
struct LevelLayout {
  private(set) var count = 0
  private(set) var columns: [FramePlan.Column] = []
  /// For each level, the output channel that writes it.
  private(set) var writers: [CheckedInput.Source] = []
  /// The indexes of nodes whose outputs are wired.
  let heard: Set<Int>
  private let graph: CheckedGraph
  private var levels: [[[Int]]] = []
  /// By node, input port and channel: the number of the level that arrives; -1 for none.
  private var inputLevels: [[[Int]]] = []
  private var events: [[Int]] = []
  /// The indexes of nodes that events may reach. Most nodes get no events, but have hundreds of channels.
  private var nodesWithEvents: Set<Int> = []

  init(_ graph: CheckedGraph) {
    self.graph = graph
    heard = Set(graph.nodes.lazy.flatMap(\.inputs).flatMap(\.sources).joined().map(\.node))
    var eventCount = 0
    for (index, node) in graph.nodes.enumerated() {
      var ofNode: [[Int]] = []
      var eventsOfNode: [Int] = []
      for (port, output) in node.outputs.enumerated() {
        switch output.type {
        case .audio, .picture, .pixels:
          ofNode.append(output.channels.map { _ in -1 })
          eventsOfNode.append(-1)
        case .event:
          ofNode.append(output.channels.map { _ in -1 })
          eventsOfNode.append(eventCount)
          eventCount += 1
        case .decibels, .level, .number, .light:
          eventsOfNode.append(-1)
          var ofPort: [Int] = []
          for (channel, header) in output.channels.enumerated() {
            let id = port == 0 ? node.id : "\(node.id).\(output.name)"
            columns.append(
              FramePlan.Column(
                name: "\(id)/\(header.number)", label: header.name, type: output.type, unit: output.unit,
                level: count))
            writers.append(CheckedInput.Source(node: index, output: port, channel: channel))
            ofPort.append(count)
            count += 1
          }
          ofNode.append(ofPort)
        }
      }
      levels.append(ofNode)
      events.append(eventsOfNode)
    }
    let levels = levels
    inputLevels = graph.nodes.map { node in
      node.inputs.map { input in
        input.sources.map { sources in
          sources.first.map { levels[$0.node][$0.output][$0.channel] } ?? -1
        }
      }
    }
    guard eventCount > 0 else { return }
    let events = events
    nodesWithEvents = Set(
      graph.nodes.indices.filter { index in
        graph.nodes[index].inputs.lazy.flatMap(\.sources).joined().contains {
          events[$0.node][$0.output] >= 0
        }
      })
  }

  func outputs(of node: Int) -> [[Int]] { levels[node] }
  /// By output port: its number as an event output; -1 for other ports.
  func eventOutputs(of node: Int) -> [Int] { events[node] }

  func inputs(of node: Int) -> [[Int]] { inputLevels[node] }

  /// Maps the input ports of a node that events may reach; for other nodes each port maps to `none`.
  private func ofEvents<Made>(
    _ node: Int, _ none: Made, _ make: (CheckedInput) -> Made
  ) -> [Made] {
    let inputs = graph.nodes[node].inputs
    return nodesWithEvents.contains(node) ? inputs.map(make) : Array(repeating: none, count: inputs.count)
  }

  /// By input port and event output: the wired channels of that output.
  func eventChannels(of node: Int) -> [[Int: Set<Int>]] {
    ofEvents(node, [:]) { input in
      var heard: [Int: Set<Int>] = [:]
      for source in input.sources.joined() where events[source.node][source.output] >= 0 {
        heard[events[source.node][source.output], default: []].insert(source.channel)
      }
      return heard
    }
  }

  /// By input port: which of its channels an event reaches.
  func eventPlaces(of node: Int) -> [EventPlaces] {
    ofEvents(node, EventPlaces([:])) { input in
      var places: [Int: [Int: [Int]]] = [:]
      for (inputChannel, sources) in input.sources.enumerated() {
        for source in sources where events[source.node][source.output] >= 0 {
          places[events[source.node][source.output], default: [:]][source.channel, default: []].append(
            inputChannel)
        }
      }
      return EventPlaces(places)
    }
  }

  /// By input port and event output: the names of that output's channels.
  func eventNames(of node: Int) -> [[Int: [String?]]] {
    ofEvents(node, [:]) { input in
      var names: [Int: [String?]] = [:]
      for source in input.sources.joined() {
        let event = events[source.node][source.output]
        // Once for each output, which may have hundreds of channels.
        guard event >= 0, names[event] == nil else { continue }
        names[event] = graph.nodes[source.node].outputs[source.output].channels.map(\.name)
      }
      return names
    }
  }

  /// By input port and event output: the id of that output's node.
  func eventInputs(of node: Int) -> [[Int: String]] {
    ofEvents(node, [:]) { input in
      var ids: [Int: String] = [:]
      for source in input.sources.joined() where events[source.node][source.output] >= 0 {
        ids[events[source.node][source.output]] = graph.nodes[source.node].id
      }
      return ids
    }
  }
}

extension Diagnostic {
  static func tooManyPorts(_ count: Int) -> Diagnostic {
    Diagnostic(
      "too-many-ports",
      "the graph asks for \(count) ports (channels of jack-input and jack-output), and a host has room for "
        + "\(PortNumbers.capacity); ask for fewer channels, or share them between two graphs", at: nil)
  }
}
