import Controls
import Engine
import Graphs
import OSC
import System
import Viewer
import Zeroconf

extension RunServices {
  /// Serves the pages if the command line or the graph asks for them.
  func openView() throws -> ViewServer? {
    var sources = ViewSources(
      show: show, router: router, folders: AllowedFolders(options.folders), version: ProgramVersion.number,
      events: events,
      host: { [weak self] in self?.hostFacts ?? HostSnapshot(name: "", rate: 0, timeline: 0) },
      levels: { [seen] in seen.newest })
    sources.faults = { [faults = reloader.faults] in faults.withLock { $0 } }
    sources.file = { [saving = reloader.saving] in saving.withLock { $0.json } }
    sources.jack = { [weak hosts] in hosts?.current.map(Self.ports) ?? .null }
    sources.soundDelay = { [weak hosts] in hosts?.current?.status.outputDelay ?? 0 }
    sources.patch = { [weak hosts] from, to, isMade in
      hosts?.current?.patch(from: from, to: to, isMade: isMade)
    }
    sources.controlPort = control?.port
    sources.notify = { [portLog, record] event in
      portLog.add(event, at: MonotonicClock.seconds)
      record?.add(event)
    }
    // The sentences of these errors begin with the word `port`.
    do throws(ListenError) { return try ViewServer.open(options.view, sources) } catch {
      throw RunError(description: "the pages' \(error); use another with --view PORT, or --view off")
    }
  }

  /// Announces by Avahi, under a name for users, those services that other machines may use. Nil where there are none, or
  /// where the machine has no message bus.
  func announce(as name: String) -> ServiceAnnouncement? {
    var services: [AnnouncedService?] = []
    if let view, !view.address.isLoopback {
      // The type by which programs find OSCQuery (https://github.com/Vidvox/OSCQueryProposal).
      services.append(Self.service("_oscjson._tcp", at: view.address, "txtvers=1"))
      // The stage is a web page.
      services.append(Self.service("_http._tcp", at: view.address, "path=/"))
    }
    if let control, !control.address.isLoopback {
      services.append(Self.service("_osc._udp", at: control.address, "txtvers=1"))
    }
    return ServiceAnnouncement(
      name: name, services: services.compactMap(\.self),
      nameChanged: { [log] name in log.note("announced as \(DisplayedText.safe(name))") },
      hostNameChanged: { [weak view] in view?.announced(as: $0) })
  }

  /// A service that listens at an address, limited to the interface that has the address; nil if none has it. A service
  /// at all addresses is not limited: one at `::` is reached by IPv4, too.
  private static func service(
    _ type: String, at address: ListenAddress, _ text: String
  ) -> AnnouncedService? {
    var service = AnnouncedService(type: type, port: address.port, text: [text])
    if address.host.isAny {
      service.family = address.host.isIPv4 ? .ipv4 : .both
      return service
    }
    guard let network = NetworkInterface.all.first(where: { IPAddress($0.address) == address.host }) else {
      return nil
    }
    service.interface = network.name
    service.family = address.host.isIPv4 ? .ipv4 : .ipv6
    return service
  }

  /// The ports of the sound server as JSON, for pages. `server` says whether the server is there.
  private static func ports(_ host: any Host) -> Json {
    let status = host.status
    guard let server = status.server, let all = host.patchbay else { return .null }
    func names(_ names: [String]) -> Json { .array(names.map { .string($0) }) }
    return .object([
      ("client", .string(server.client)), ("server", .bool(server.isThere)),
      (
        "ports",
        .array(
          status.ports.map { port in
            .object([
              ("name", .string(port.port.name)), ("output", .bool(port.port.direction == .output)),
              ("connections", names(port.connections)),
            ])
          })
      ), ("outputs", names(all.outputs)), ("inputs", names(all.inputs)),
    ])
  }
}
