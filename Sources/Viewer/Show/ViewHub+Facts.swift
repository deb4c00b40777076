import Controls
import Engine
import Graphs
import NIOCore
import OSC

/// What clients are sent: changed values, topics and events.
extension ViewHub {
  func tell(due: Double, at time: Double) {
    /// Texts by right, last version and pattern, so that each is made once.
    var texts: [String: ByteBuffer?] = [:]
    var packets: [Int: ByteBuffer] = [:]
    for client in clients.all where client.isReady {
      for index in client.subscriptions.indices where client.subscriptions[index].next <= due {
        let subscription = client.subscriptions[index]
        let key = "\(client.right) \(subscription.version) \(subscription.pattern.text)"
        let text = texts[key] ?? changes(subscription.pattern, since: subscription.version, for: client.right)
        texts[key] = .some(text)
        if let text { client.send(text, isText: true) }
        client.subscriptions[index].version = feed.state.version
        client.subscriptions[index].next = max(
          subscription.next + 1 / subscription.rate, time + 0.25 / subscription.rate)
      }
      if !client.oscQueryListens.isEmpty { tellPackets(client, &packets) }
    }
  }

  /// The changed values that match a pattern and that a right may see; nil: none.
  private func changes(
    _ pattern: FeedbackPattern, since version: Int, for right: ViewRight
  ) -> ByteBuffer? {
    let state = feed.state
    let key = "\(right) \(pattern.text)"
    if places[key]?.layout != state.layout {
      if places.count > 256 { places = [:] }
      places[key] = (
        state.layout,
        state.entries.indices.filter {
          pattern.matches(state.entries[$0].address) && right.sees(state.entries[$0].address)
        }
      )
    }
    var text = ""
    for place in places[key]?.places ?? [] where state.entries[place].version > version {
      let entry = state.entries[place]
      text += text.isEmpty ? "{\"state\":{" : ","
      text += "\(Json.string(entry.address).line):"
      switch entry.arguments.count {
      case 0: text += "null"
      case 1: text += entry.arguments[0].json
      default: text += "[\(entry.arguments.map(\.json).joined(separator: ","))]"
      }
    }
    return text.isEmpty ? nil : ByteBuffer(string: text + "}}")
  }

  /// Sends changed values to an OSCQuery client, a packet for each address.
  private func tellPackets(_ client: ViewClient, _ packets: inout [Int: ByteBuffer]) {
    for (place, entry) in feed.state.entries.enumerated() {
      guard let version = client.oscQueryListens[entry.address], entry.version > version,
        client.right.sees(entry.address),
        let packet = try? packets[place]
          ?? ByteBuffer(bytes: Message(entry.address, arguments: entry.arguments).packet())
      else { continue }
      packets[place] = packet
      client.oscQueryListens[entry.address] = feed.state.version
      client.send(packet, isText: false)
    }
  }

  func tellFacts(isSlow: Bool, isQuick: Bool) {
    tellEvents()
    if isQuick { tell(.lights, .steer) }
    guard isSlow else { return }
    tellChangedPaths()
    for topic in ViewTopic.allCases where topic != .events && topic != .lights {
      for right in [ViewRight.watch, .steer] { tell(topic, right) }
    }
  }

  /// Tells OSCQuery clients that the graph has changed, so that their list of addresses may be invalid.
  private func tellChangedPaths() {
    guard let plan = sources.show.plan.map(ObjectIdentifier.init), plan != queried else { return }
    defer { queried = plan }
    guard queried != nil else { return }
    for client in clients.all where client.isQuery && client.isReady {
      client.send(#"{"COMMAND":"PATH_CHANGED","DATA":"/visgraph"}"#)
    }
  }

  private func tell(_ topic: ViewTopic, _ right: ViewRight) {
    let watching = clients.all.filter { $0.right == right && $0.topics[topic] != nil && $0.isReady }
    guard !watching.isEmpty, let facts = facts(topic, right) else { return }
    // Never 0, which stands for "nothing sent".
    let number = facts.hashValue | 1
    let text = ByteBuffer(string: "{\"\(topic.rawValue)\":\(facts)}")
    for client in watching where client.topics[topic] != number {
      client.topics[topic] = number
      client.send(text, isText: true)
    }
  }

  private func facts(_ topic: ViewTopic, _ right: ViewRight) -> String? {
    guard let plan = sources.show.plan else { return nil }
    switch topic {
    case .graph:
      let version = plan.version
      if graphTexts[right]?.version != version {
        graphTexts[right] = (version, GraphFacts.json(plan.graph, for: right).line)
      }
      return graphTexts[right]?.text
    case .faults: return sources.faults()
    case .file: return sources.file().line
    case .lights: return LightFacts.json(plan).line
    case .targets: return TargetFact.json(sources.show.reports).line
    case .players: return PlayerFacts.json(plan).line
    case .jack: return sources.jack().line
    case .events: return nil
    }
  }

  private func tellEvents() {
    let events = sources.events.take()
    guard !events.isEmpty, let graph = sources.show.plan?.graph else { return }
    let outputs = graph.nodes.flatMap { node in
      node.outputs.filter { $0.type == .event }.map { (node.id, $0) }
    }
    let items = events.map { event -> Json in
      let output = outputs.indices.contains(event.output) ? outputs[event.output] : nil
      return .object([
        ("node", output.map { .string($0.0) } ?? .null), ("event", .string(event.name)),
        ("channel", .number(Double(event.channel + 1))), ("time", .number(event.time)),
      ])
    }
    let text = ByteBuffer(string: "{\"events\":\(Json.array(items).line)}")
    for client in clients.all where client.topics[.events] != nil && client.isReady {
      client.send(text, isText: true)
    }
  }
}
