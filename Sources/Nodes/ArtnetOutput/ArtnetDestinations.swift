import DMX
import Engine
import Graphs
import OSC

/// The destinations of an artnet-output: named nodes, and nodes that have answered a poll. [control], then [frame]
struct ArtnetDestinations {
  /// The destinations in the order of `to`.
  let all: [PacketDestination]
  /// Sends ArtSync after the packets of a frame; nil where the setting `sync` is off. [any]
  let synchronize: ((_ seconds: Double) -> Void)?

  /// Opens the destinations. Throws the fault of a host.
  init(_ context: NodeContext<ArtnetOutput.Settings>, portAddresses: [UInt16]) throws {
    let settings = context.settings.all
    var all: [PacketDestination] = []
    var synchronized: [PacketOutlet] = []
    for text in settings.to {
      if text == ArtnetOutput.subscribers {
        guard case .network = context.configuration.packets else {
          let outlets = portAddresses.map { _ in context.nowhere }
          all.append(PacketDestination(name: text, outlets: outlets))
          continue
        }
        let nodes = context.share("art-net nodes \(settings.interface ?? "")") {
          ArtNetNodes(interface: settings.interface)
        }
        let subscribers = portAddresses.map { nodes.subscribers(of: $0) }
        all.append(
          PacketDestination(
            name: text, outlets: subscribers.map { one in context.outlet { one } },
            lines: { Self.lines($0, nodes, subscribers) }))
        synchronized.append(context.outlet { nodes.everybody })
      } else {
        let outlet = context.datagrams(
          to: try UniverseFields.endpoint(text, port: ArtNetPackets.port), isBatched: true)
        all.append(PacketDestination(name: text, outlets: portAddresses.map { _ in outlet }))
        synchronized.append(outlet)
      }
    }
    self.all = all
    synchronize =
      !settings.sync
      ? nil
      : { [synchronized] seconds in
        ArtNetPackets.sync.withUnsafeBytes { packet in
          for outlet in synchronized { outlet.deliver(packet, at: seconds) }
        }
      }
  }

  /// The line of the search, and one for each node that has answered. [any]
  private static func lines(
    _ line: NodeReport, _ nodes: ArtNetNodes, _ subscribers: [ArtNetSubscribers]
  ) -> [NodeReport] {
    var (state, isWell) = nodes.state
    let unanswered = subscribers.filter(\.isEmpty).compactMap(\.portAddress)
    let reports = nodes.reports
    if isWell, !reports.isEmpty, !unanswered.isEmpty {
      state += ", none puts out \(ArtNetDirectory.list(unanswered.map { ArtDmxPacket.text(of: $0) }))"
      isWell = false
    }
    var first = line
    (first.state, first.isWell) = (state, isWell)
    return [first]
      + reports.map { node in
        NodeReport(
          id: line.id, target: node.name, state: node.state, isWell: node.isWell, sent: node.sent, held: 0,
          failed: node.failed, sample: "")
      }
  }
}
