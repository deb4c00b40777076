import Engine
import Graphs
import OSC

/// Sends events, each as a message with the number 1. [frame]
struct OscEvents: OutputEvents {
  /// The node id of each wired event output, by the number of the output.
  private let sourceIds: [Int: String]
  /// The names of the channels of these outputs.
  private let names: [Int: [String?]]
  private let node: String
  private let template: String
  private let routes: [OscRoute]

  init(_ context: NodeContext<OscOutput.Settings>, through routes: [OscRoute]) {
    // The port `events` of `OscOutput.inputs`.
    let port = 1
    sourceIds = context.eventInputs[port]
    names = context.eventNames[port]
    node = context.id
    template = context.settings.all.eventAddress
    self.routes = routes
  }

  /// The address template for an event; only addresses of events have the placeholder `{event}`.
  static func template(_ text: String, event: String) throws(OSCError) -> AddressTemplate {
    try AddressTemplate(text.replacing("{event}", with: event))
  }

  func hasEvents(in frame: Frame) -> Bool {
    !sourceIds.isEmpty && frame.events.all.contains { sourceIds[$0.output] != nil }
  }

  func send(_ frame: Frame) {
    for event in frame.events.all {
      guard let source = sourceIds[event.output] else { continue }
      let channelNames = names[event.output] ?? []
      let name = channelNames.indices.contains(event.channel) ? channelNames[event.channel] : nil
      let values = AddressTemplate.Values(
        node: node, source: source, channel: event.channel + 1, name: name ?? "\(event.channel + 1)")
      // Events are rare beside levels, so each has its packet made anew. The graph check has accepted the template; an
      // event for which it gives no address nevertheless is left out.
      guard let address = try? Self.template(template, event: event.name).expand(values),
        let packet = try? Message(address, arguments: [.int(1)]).packet()
      else { continue }
      packet.withUnsafeBytes { bytes in
        for route in routes where route.isLive { route.deliver(event: bytes, at: frame.end) }
      }
    }
  }
}
